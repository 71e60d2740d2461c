// A function of the cloud holds what it reads in memory: what is too large for that is refused by its listed size, before any of it is read.
import { describe, expect, test } from 'vitest';
import { differenceOf } from '#shared/adapters/open/openhands/remote-difference.ts';
import { type RemoteState, type RemoteTree, storeState } from '#shared/adapters/open/openhands/remote-tree.ts';
import type { Trees } from '#shared/adapters/open/openhands/trees.ts';
import type { TreeEntry } from '#shared/contracts/workspace.ts';

const entry = (path: string, bytes: number): TreeEntry => ({
  path,
  mode: 'file',
  sha256: `hash of ${path} ${bytes}`,
  bytes,
});

/** A store that holds one tree and notes what is read of any. */
const storeOf = (held: readonly TreeEntry[]) => {
  const read: string[] = [];
  const trees: Trees = {
    list: async () => [...held],
    read: async (_tree, path) => {
      read.push(path);
      return Buffer.from(path);
    },
    missing: async (hashes) => [...hashes],
    putBlob: () => Promise.reject(new Error('nothing is stored')),
    putTree: () => Promise.reject(new Error('nothing is stored')),
  };
  return { trees, read };
};

describe('what is too large', () => {
  const now = [entry('a', 12_000_001), entry('b', 5), entry('same', 90_000_000)];

  test('as a change, all its contents together, is refused unread', async () => {
    const { trees, read } = storeOf([entry('a', 12_000_000), entry('same', 90_000_000)]);
    await expect(differenceOf(trees, 'base', { tree: 'now', entries: now })).rejects.toMatchObject({
      code: 'HcaTooLarge',
      field: 'change',
      message: expect.stringContaining('24000006 bytes, at most 24000000'),
      remedy: expect.stringContaining('.gitignore'),
    });
    expect(read).toEqual([]);
  });

  test('is no file that stays as it is', async () => {
    const { trees, read } = storeOf([entry('a', 11_000_000), entry('same', 90_000_000)]);
    const { files } = await differenceOf(trees, 'base', { tree: 'now', entries: now });
    expect(files.map(({ path }) => path)).toEqual(['a', 'b']);
    expect(read.sort()).toEqual(['a', 'a', 'b']);
  });

  test('as a file of a snapshot is refused before anything is asked of the server', async () => {
    const { trees } = storeOf([]);
    const place = { trees, folders: { work: '/w' } } as unknown as RemoteTree;
    const listing = { top: '/w', now: 0, files: [] };
    const state = { listing, kept: { files: [] }, entries: [entry('b', 5), entry('a', 100_000_001)] };
    await expect(storeState(place, state as unknown as RemoteState)).rejects.toMatchObject({
      code: 'HcaTooLarge',
      message: 'a: 100000001 bytes, at most 100000000',
    });
  });
});
