// Which files of a remote session belong to its snapshot: the rules of a local scan, on a listing (architecture 11). Paths that the session
// was opened with are in, whatever ignore and secret rules say.
import { posix } from 'node:path';
import ignore, { type Ignore } from 'ignore';
import {
  DEPENDENCIES,
  holdsToken,
  isRepositoryName,
  isSecretPath,
  TARGET_OWNERS,
} from '#shared/domain/snapshot-rules.ts';
import type { Listing, RemoteFile } from './list-script.ts';

/** Files and links to keep; folders of dependencies, which a restore leaves alone. */
export type Kept = { files: RemoteFile[]; dependencies: string[] };

export function keptFiles(listing: Listing, tracked: ReadonlySet<string>): Kept {
  const walk: Walk = {
    listing,
    tracked,
    folders: foldersOf(tracked),
    paths: new Set(listing.files.map(({ path }) => path)),
    rules: new Map([...listing.rules].filter(([path]) => posix.basename(path) === '.gitignore').map(compiled)),
    out: new Set(),
  };
  const kept: Kept = { files: [], dependencies: [] };
  for (const file of listing.files) visit(walk, file, kept);
  return kept;
}

type Walk = {
  listing: Listing;
  tracked: ReadonlySet<string>;
  folders: ReadonlySet<string>;
  paths: ReadonlySet<string>;
  rules: ReadonlyMap<string, Ignore>;
  /** Folders that are left out as a whole. */
  out: Set<string>;
};

function visit(walk: Walk, file: RemoteFile, kept: Kept): void {
  const inside = !walk.out.has(posix.dirname(file.path));
  if (file.kind === 'd') visitFolder(walk, file.path, { inside, kept });
  else if (inside && isIn(walk, file)) kept.files.push(file);
}

function visitFolder(walk: Walk, path: string, { inside, kept }: { inside: boolean; kept: Kept }): void {
  const dependency = isDependency(walk, path);
  if (dependency && inside) kept.dependencies.push(path);
  if (dependency || !inside || isFolderOut(walk, path)) walk.out.add(path);
}

const isIn = (walk: Walk, file: RemoteFile): boolean =>
  file.kind === 'l' ? !leadsOut(walk.listing.top, file) : isFileIn(walk, file);

function isFolderOut(walk: Walk, path: string): boolean {
  if (isRepositoryName(posix.basename(path)) || isSecretPath(path)) return true;
  return isIgnored(walk.rules, path, true) && !walk.folders.has(path);
}

function isDependency({ paths }: Walk, path: string): boolean {
  const [name, folder] = [posix.basename(path), posix.dirname(path)];
  if (DEPENDENCIES.has(name) || paths.has(`${path}/pyvenv.cfg`)) return true;
  return name === 'target' && TARGET_OWNERS.some((owner) => paths.has(posix.join(folder, owner)));
}

function isFileIn(walk: Walk, { path, kind }: RemoteFile): boolean {
  if (kind !== 'f' || isRepositoryName(posix.basename(path))) return false;
  if (walk.tracked.has(path)) return true;
  if (isSecretPath(path) || isTokenFile(walk.listing.rules, path)) return false;
  return !isIgnored(walk.rules, path, false);
}

/** An `.npmrc` too large to be looked into is left out. */
function isTokenFile(rules: ReadonlyMap<string, string>, path: string): boolean {
  if (posix.basename(path) !== '.npmrc') return false;
  const text = rules.get(path);
  return text === undefined || holdsToken(text);
}

/** By its text: only the text of a link is stored, never what it leads to. */
function leadsOut(top: string, { path, target }: RemoteFile): boolean {
  const real = posix.isAbsolute(target) ? posix.normalize(target) : posix.join(top, posix.dirname(path), target);
  return real !== top && !real.startsWith(`${top}/`);
}

/** The innermost file that says anything decides, as in git. */
function isIgnored(rules: ReadonlyMap<string, Ignore>, path: string, folder: boolean): boolean {
  for (const owner of ['', ...parents(path)].toReversed()) {
    const inside = `${owner === '' ? path : path.slice(owner.length + 1)}${folder ? '/' : ''}`;
    const answer = rules.get(owner)?.test(inside);
    if (answer?.ignored || answer?.unignored) return answer.ignored;
  }
  return false;
}

/** Folders above a path, the outermost first. */
function parents(path: string): string[] {
  const segments = path.split('/');
  return segments.slice(1).map((_, index) => segments.slice(0, index + 1).join('/'));
}

function compiled([path, text]: [string, string]): [string, Ignore] {
  return [path.includes('/') ? posix.dirname(path) : '', ignore({ allowRelativePaths: true }).add(text)];
}

const foldersOf = (paths: ReadonlySet<string>): Set<string> => new Set([...paths].flatMap(parents));
