// Folders as they really are: names that are no text, entries that cannot be asked about; and what a full disk leaves behind.
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { FilesWorkspaces } from '#shared/adapters/local/files-workspaces.ts';
import { BlobStore } from '#shared/adapters/local/sandbox/blob-store.ts';
import { writeAtomic } from '#shared/adapters/local/sandbox/write-atomic.ts';
import { folder, layOut } from './folders.ts';
import { bench, KINDS } from './sandboxes.ts';

const notText = (place: string, name: string): Buffer =>
  Buffer.concat([Buffer.from(`${place}/${name}`), Buffer.of(0xff)]);

describe.skipIf(process.platform !== 'linux').each(KINDS)('a name that is no UTF-8 ($name)', ({ bubblewrap }) => {
  it('is left out and named, beside the files and among the dependencies; the session opens and runs', async () => {
    const { open, run, root, workspaces } = bench(bubblewrap, { 'a.txt': 'a', 'node_modules/x/index.js': 'x' });
    writeFileSync(notText(root, 'file'), '');
    writeFileSync(notText(join(root, 'node_modules'), 'file'), '');
    symlinkSync('a.txt', notText(root, 'link'));
    mkdirSync(notText(root, 'folder'));
    const taken = await workspaces.take(root);
    expect(taken.files).toBe(1);
    expect(taken.skipped.filter(({ reason }) => reason === 'unreadable').map(({ path }) => path.slice(0, 4))).toEqual(
      expect.arrayContaining(['file', 'link', 'fold']),
    );
    await open('s1');
    expect(await run('s1', 'cat a.txt')).toMatchObject({ exit_code: 0, stdout: 'a' });
  });
});

describe.skipIf(process.platform !== 'linux')('a folder that the system makes up', () => {
  it.each(['/proc/self', '/sys', '/dev'])('%s is refused: its files have no end', async (path) => {
    const taking = new FilesWorkspaces(folder('store')).take(path);
    await expect(taking).rejects.toMatchObject({ name: 'HcaBadInput', field: 'workspace' });
  });
});

it('a link whose target is no path is refused by its name, without a path of this machine', async () => {
  const { workspaces, sandbox, home } = bench(false, {});
  const text = 'a\0b';
  const sha256 = await workspaces.putBlob(Buffer.from(text));
  const tree = await workspaces.putTree([{ path: 'l', mode: 'link', sha256, bytes: text.length }]);
  const opening = sandbox.open({ id: 's1', tree, workspace: '/workspace', network: false });
  await expect(opening).rejects.toMatchObject({ name: 'HcaBadInput', message: expect.not.stringContaining(home) });
});

describe('a write that fails', () => {
  it('leaves nothing beside the target that would keep a full disk full', () => {
    const root = layOut(folder('ws'), { 'taken/by-a-folder/x': '' });
    expect(() => writeAtomic(join(root, 'taken/by-a-folder'), 'text')).toThrow();
    expect(readdirSync(join(root, 'taken'))).toEqual(['by-a-folder']);
    const place = folder('blobs');
    const blobs = new BlobStore(place);
    const sha256 = createHash('sha256').update('content').digest('hex');
    const shelf = join(place, sha256.slice(0, 2));
    // A folder in the place of the blob makes the rename fail, as a full disk makes the write fail.
    mkdirSync(join(shelf, sha256, 'in-the-way'), { recursive: true });
    vi.spyOn(blobs, 'touch').mockReturnValue(false);
    expect(() => blobs.put(Buffer.from('content'))).toThrow();
    expect(readdirSync(shelf)).toEqual([sha256]);
  });
});
