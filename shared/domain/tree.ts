// What a tree is, whoever stores it: one canonical manifest, so that the same files have the same id on every machine; and what is no tree.
import type { Problem } from '#shared/contracts/errors.ts';
import type { TreeEntry } from '#shared/contracts/workspace.ts';
import { isRepositoryName } from '#shared/domain/snapshot-rules.ts';

/** The manifest whose SHA-256 is the tree's id, and its entries in that order. */
export const manifestOf = (entries: readonly TreeEntry[]): { manifest: string; sorted: TreeEntry[] } => {
  const sorted = entries.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  const manifest = JSON.stringify(sorted.map(({ path, mode, sha256, bytes }) => ({ path, mode, sha256, bytes })));
  return { manifest, sorted };
};

/** 50,000 files and 1 GB hold any project that is edited by hand. */
export const TREE_LIMITS = { files: 50_000, bytes: 1_000_000_000 } as const;

/** What any file system here can hold: names in a path, UTF-8 bytes of one, and of all of them with room for the folder they are laid in. */
const PATH_LIMITS = { depth: 200, name: 255, path: 3000 } as const;

/** What is wrong with entries that came from another machine, or null: whoever lays them writes through no link and into no repository. */
export const treeProblem = (entries: readonly TreeEntry[]): Problem | null => {
  const paths = new Set(entries.map(({ path }) => path));
  if (paths.size < entries.length) return wrong('a path is named twice', 'name each path once');
  const bytes = entries.reduce((sum, entry) => sum + entry.bytes, 0);
  if (paths.size > TREE_LIMITS.files || bytes > TREE_LIMITS.bytes)
    return wrong(
      `it holds ${paths.size} files of ${bytes} bytes`,
      'give a smaller folder, or list generated files in .gitignore',
    );
  const lost = entries.find(({ mode, bytes: length }) => mode === 'link' && !canLead(length));
  if (lost !== undefined) return wrong(`the link "${lost.path}" leads nowhere`, 'a target has 1 to 3,000 bytes');
  for (const path of paths) {
    const problem = pathProblem(path, paths);
    if (problem !== null) return problem;
  }
  return null;
};

const pathProblem = (path: string, paths: ReadonlySet<string>): Problem | null => {
  const segments = path.split('/');
  if (!canBeLaid(segments))
    return wrong(
      `no file can be called "${path.slice(0, 300)}"`,
      'names have at most 255 bytes, paths 3,000 in 200 names',
    );
  if (segments.some(isRepositoryName)) return wrong(`"${path}" belongs to a repository's own files`, 'leave them out');
  const above = foldersOf(segments).find((folder) => paths.has(folder));
  return above === undefined
    ? null
    : wrong(`"${path}" lies below "${above}", which is no folder`, 'name only files and links');
};

const canLead = (bytes: number): boolean => bytes > 0 && bytes <= PATH_LIMITS.path;

/** Half of a character would become another one on the disk, the same for every half. */
const canBeLaid = (segments: readonly string[]): boolean =>
  segments.length <= PATH_LIMITS.depth &&
  bytesOf(segments.join('/')) <= PATH_LIMITS.path &&
  segments.every((name) => name.isWellFormed() && bytesOf(name) <= PATH_LIMITS.name);

const bytesOf = (text: string): number => new TextEncoder().encode(text).length;

const foldersOf = (segments: readonly string[]): string[] =>
  segments.slice(1).map((_, at) => segments.slice(0, at + 1).join('/'));

const wrong = (why: string, remedy: string): Problem => ({
  field: 'entries',
  message: `this is no snapshot of a folder: ${why}`,
  remedy,
});
