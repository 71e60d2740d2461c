// What a remote session changed against the tree it was opened on, from the content store alone.

import { HcaFault } from '#shared/contracts/errors.ts';
import type { ChangeSet, FileState, TreeEntry, TreeId } from '#shared/contracts/workspace.ts';
import { changeSet, fileState } from '#shared/domain/change-set.ts';
import { atMost } from './at-most.ts';
import { refuseLarge } from './sizes.ts';
import type { Trees } from './trees.ts';

/** Requests to the store at once. */
const AT_ONCE = 8;

/** Bytes of all contents of a change, before and after. Read, written down and stored it takes eight times as much, and a function has 512 MB. */
const MOST = 24_000_000;

/** @throws HcaFault HcaTooLarge before anything is read */
export async function differenceOf(
  trees: Trees,
  base: TreeId,
  now: { tree: TreeId; entries: readonly TreeEntry[] },
): Promise<ChangeSet> {
  const [before, after] = [byPath(await trees.list(base)), byPath(now.entries)];
  const paths = [...new Set([...before.keys(), ...after.keys()])].filter((path) => {
    const [old, fresh] = [before.get(path), after.get(path)];
    return old?.sha256 !== fresh?.sha256 || old?.mode !== fresh?.mode;
  });
  const sizes = paths.flatMap((path) => [before.get(path)?.bytes ?? 0, after.get(path)?.bytes ?? 0]);
  refuseLarge(
    'change',
    sizes.reduce((sum, size) => sum + size, 0),
    MOST,
  );
  const files = await atMost(AT_ONCE, paths, async (path) => ({
    path,
    before: await stateOf(trees, base, before.get(path)),
    after: await stateOf(trees, now.tree, after.get(path)),
  }));
  return changeSet(base, files);
}

async function stateOf(trees: Trees, tree: TreeId, entry: TreeEntry | undefined): Promise<FileState | null> {
  if (entry === undefined) return null;
  const bytes = await trees.read(tree, entry.path);
  if (bytes !== null) return fileState(bytes, entry.mode, entry.sha256);
  throw new HcaFault('HcaCorrupt', { message: `the content ${entry.sha256} is missing from the snapshot store` });
}

const byPath = (entries: readonly TreeEntry[]): Map<string, TreeEntry> =>
  new Map(entries.map((entry) => [entry.path, entry]));
