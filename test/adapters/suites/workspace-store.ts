// What the port `workspace-store` means, for every adapter: content handed over from another machine, piece by piece, checked before it counts.
import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { TreeEntry } from '#shared/contracts/workspace.ts';
import type { WorkspaceStore, Workspaces } from '#shared/ports/workspaces.ts';

export interface OpenedStore {
  workspaces: Workspaces & WorkspaceStore;
  close(): Promise<void>;
}

export const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The entry of a file with this content. */
export const fileEntry = (path: string, text: string, parts: Partial<TreeEntry> = {}): TreeEntry => ({
  path,
  mode: 'file',
  sha256: hashOf(text),
  bytes: Buffer.byteLength(text),
  ...parts,
});

/** Id of the tree of `a.txt` (alpha) and `src/b.ts` (beta): the same in every store. */
const TREE = hashOf(JSON.stringify([fileEntry('a.txt', 'alpha'), fileEntry('src/b.ts', 'beta', { mode: 'exec' })]));

/** Runs the suite; `open` gives a fresh, empty store. */
export const workspaceStoreSuite = (name: string, open: () => Promise<OpenedStore>): void => {
  describe(`workspace store: ${name}`, () => {
    let house: OpenedStore;
    let store: OpenedStore['workspaces'];
    const entries = [fileEntry('src/b.ts', 'beta', { mode: 'exec' }), fileEntry('a.txt', 'alpha')];
    const send = (...texts: string[]) => Promise.all(texts.map((text) => store.putBlob(Buffer.from(text))));
    beforeEach(async () => {
      house = await open();
      store = house.workspaces;
    });
    afterEach(() => house.close());

    test('a tree is handed over piece by piece, and has the id that it has everywhere', async () => {
      expect(await store.missing(entries.map(({ sha256 }) => sha256))).toEqual([hashOf('beta'), hashOf('alpha')]);
      expect(await send('alpha', 'beta')).toEqual([hashOf('alpha'), hashOf('beta')]);
      expect(await store.missing(entries.map(({ sha256 }) => sha256))).toEqual([]);
      expect(await store.putTree(entries)).toBe(TREE);
      expect((await store.list(TREE)).map(({ path, mode }) => [path, mode])).toEqual([
        ['a.txt', 'file'],
        ['src/b.ts', 'exec'],
      ]);
      expect(Buffer.from((await store.read(TREE, 'src/b.ts')) ?? []).toString()).toBe('beta');
      expect(await store.read(TREE, 'no such file')).toBeNull();
    });

    test('what was sent before the line broke is not asked for again; all of it again is the same', async () => {
      await send('alpha');
      expect(await store.missing([hashOf('alpha'), hashOf('beta'), hashOf('beta')])).toEqual([hashOf('beta')]);
      await expect(store.putTree(entries)).rejects.toMatchObject({
        code: 'HcaBadInput',
        field: 'entries',
        message: expect.stringContaining('src/b.ts'),
      });
      await expect(store.list(TREE)).rejects.toMatchObject({ code: 'HcaNotFound', field: 'tree' });
      await send('alpha', 'beta');
      expect([await store.putTree(entries), await store.putTree(entries)]).toEqual([TREE, TREE]);
    });

    test('the tree of no files, and files of no bytes', async () => {
      await send('');
      const empty = await store.putTree([]);
      expect(await store.list(empty)).toEqual([]);
      const tree = await store.putTree([fileEntry('empty', '')]);
      expect(await store.read(tree, 'empty')).toHaveLength(0);
    });

    test.each([
      ['another size than its content has', [fileEntry('a', 'alpha', { bytes: 4 })]],
      ['a path twice', [fileEntry('a', 'alpha'), fileEntry('a', 'beta')]],
      ['a file below a file', [fileEntry('a', 'alpha'), fileEntry('a/b', 'beta')]],
      ['a file below a link', [fileEntry('a', 'alpha', { mode: 'link' }), fileEntry('a/x/b', 'beta')]],
      ['a path that leads out', [fileEntry('../a', 'alpha')]],
      ['an absolute path', [fileEntry('/etc/passwd', 'alpha')]],
      ["a repository's own file", [fileEntry('lib/.git/hooks/pre-commit', 'alpha')]],
      ['no hash', [fileEntry('a', 'alpha', { sha256: '../../secret' })]],
      ['more bytes than a tree may have', [fileEntry('a', 'alpha', { bytes: 2_000_000_000 })]],
    ])('a tree with %s is refused', async (_, wrong) => {
      await send('alpha', 'beta');
      await expect(store.putTree(wrong)).rejects.toMatchObject({ code: 'HcaBadInput', field: 'entries' });
    });

    test('a hash that is none reaches no file and no key', async () => {
      await expect(store.missing(['../../secret'])).rejects.toMatchObject({ code: 'HcaBadInput', field: 'sha256' });
    });

    test('many at once, the same ones too', async () => {
      const texts = Array.from({ length: 60 }, (_, n) => `text ${n % 40}`);
      await send(...texts);
      const tree = await store.putTree(texts.map((text, n) => fileEntry(`f${n}`, text)));
      const read = await Promise.all(texts.map((_, n) => store.read(tree, `f${n}`)));
      expect(read.map((bytes) => Buffer.from(bytes ?? []).toString())).toEqual(texts);
    });
  });
};
