// Sets the files of a remote session back to a tree exactly, ignored leftovers included; folders of dependencies stay.
import { posix } from 'node:path';
import { HcaFault } from '#shared/contracts/errors.ts';
import type { TreeEntry, TreeId } from '#shared/contracts/workspace.ts';
import type { RemoteFile } from './list-script.ts';
import { layRemote, type RemoteState, type RemoteTree, withPaths } from './remote-tree.ts';

export async function restoreRemote(
  place: RemoteTree,
  { tree, wanted, now }: { tree: TreeId; wanted: readonly TreeEntry[]; now: RemoteState },
): Promise<void> {
  const over = leftOver(now, wanted);
  if (over.length > 0) await withPaths(place, over, 'xargs -0 -r rm -rf -- <"$L"');
  const there = new Map(now.entries.map((entry) => [entry.path, stamp(entry)]));
  const entries = wanted.filter((entry) => there.get(entry.path) !== stamp(entry));
  await layRemote(place, place.folders.work, { entries, read: (entry) => contentOf(place, tree, entry) });
}

/** Paths to delete, a folder instead of what is in it: what the tree does not have, or has as another kind of thing. */
function leftOver({ listing, kept }: RemoteState, wanted: readonly TreeEntry[]): string[] {
  const modes = new Map(wanted.map(({ path, mode }) => [path, mode === 'link' ? 'l' : 'f']));
  const folders = new Set([...modes.keys(), ...kept.dependencies].flatMap(parents));
  const stays = ({ path, kind }: RemoteFile): boolean => (kind === 'd' ? folders.has(path) : modes.get(path) === kind);
  const ours = listing.files.filter(({ path }) => !kept.dependencies.some((top) => isBelow(top, path)));
  const gone = new Set<string>();
  for (const file of ours) if (gone.has(posix.dirname(file.path)) || !stays(file)) gone.add(file.path);
  return [...gone].filter((path) => !gone.has(posix.dirname(path)));
}

function parents(path: string): string[] {
  const segments = path.split('/');
  return segments.slice(1).map((_, index) => segments.slice(0, index + 1).join('/'));
}

const isBelow = (folder: string, path: string): boolean => path === folder || path.startsWith(`${folder}/`);

async function contentOf({ trees }: RemoteTree, tree: TreeId, { path, sha256 }: TreeEntry): Promise<Uint8Array> {
  const bytes = await trees.read(tree, path);
  if (bytes !== null) return bytes;
  throw new HcaFault('HcaCorrupt', { message: `the content ${sha256} is missing from the snapshot store` });
}

const stamp = ({ mode, sha256 }: TreeEntry): string => `${mode} ${sha256}`;
