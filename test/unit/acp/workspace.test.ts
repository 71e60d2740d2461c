// Handing over the folder of another machine: only what is missing is sent, a large file in pieces, in any order and again (architecture 9).
import { createHash } from 'node:crypto';
import { afterEach, describe, expect, test } from 'vitest';
import { FilesWorkspaces } from '#shared/adapters/local/files-workspaces.ts';
import { OWNER, type TestDoor, testDoor } from '#test/support/door.ts';
import { folder } from '../../adapters/local/sandbox/folders.ts';

const doors: TestDoor[] = [];
afterEach(async () => {
  for (const door of doors.splice(0)) await door.close();
});

const digest = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest('hex');
const contentOf = (text: string) => ({ sha256: digest(text), bytes: Buffer.byteLength(text) });
const base64 = (text: string) => Buffer.from(text).toString('base64');

const open = async () => {
  const files = new FilesWorkspaces(folder('home'));
  const { list, read } = { list: files.list.bind(files), read: files.read.bind(files) };
  const at = await testDoor({ workspaces: { list, read } });
  doors.push(at);
  at.door.store = files;
  const put = (text: string) => at.ask('_hca/workspace/put', { base64: base64(text) });
  return { at, put };
};

/** Hands over files as a client does and gives the tree. */
const handOver = async ({ at, put }: Awaited<ReturnType<typeof open>>, files: Record<string, string>) => {
  const entries = Object.entries(files).map(([path, text]) => ({ path, mode: 'file' as const, ...contentOf(text) }));
  for (const text of Object.values(files)) await put(text);
  const manifest = JSON.stringify(entries);
  await put(manifest);
  return at.ask('_hca/workspace/tree', { manifest: contentOf(manifest) });
};

describe('handing over a folder', () => {
  test('says what is missing, and nothing that is here', async () => {
    const { at, put } = await open();
    await put('here');
    const contents = [contentOf('here'), contentOf('not here')];
    expect(await at.ask('_hca/workspace/missing', { contents })).toEqual({
      missing: [digest('not here')],
      uploads: [],
    });
  });

  test('names where contents may be sent to directly', async () => {
    const { at } = await open();
    const upload = { sha256: digest('a'), url: 'https://bucket.example/a', headers: { 'x-a': '1' } };
    at.door.store = { ...at.door.store, missing: async (hashes) => [...hashes], uploads: async () => [upload] };
    expect((await at.ask('_hca/workspace/missing', { contents: [contentOf('a')] })).uploads).toEqual([upload]);
  });

  test('a task works on it, and knows that the folder is elsewhere', async () => {
    const made = await open();
    const { tree, files } = await handOver(made, { 'a.txt': 'a', 'src/b.txt': 'b' });
    expect(files).toBe(2);
    const workspace = { tree, root: '/home/me/shop' };
    const { task } = await made.at.ask('_hca/task/submit', { goal: 'take the turn', workspace });
    const record = await made.at.door.ports.tasks.load(OWNER.tenant, task);
    expect(record?.kind === 'task' && record.spec.workspace).toEqual({ ...workspace, elsewhere: true });
    expect((await made.at.ask('_hca/task/plan', { goal: 'take the turn', workspace })).ok).toBe(true);
    await made.at.house.idle();
    const { task: again } = await made.at.ask('_hca/task/retry', { task });
    const next = await made.at.door.ports.tasks.load(OWNER.tenant, again);
    expect(next?.kind === 'task' && next.spec.workspace).toEqual({ ...workspace, elsewhere: true });
  });

  test('a large file comes in pieces, of which those that are here are not sent again', async () => {
    const { at, put } = await open();
    const [first, second] = ['x'.repeat(100_000), 'y'.repeat(50_000)];
    await put(first);
    const pieces = [contentOf(first), contentOf(second)];
    expect((await at.ask('_hca/workspace/missing', { contents: pieces })).missing).toEqual([digest(second)]);
    const whole = contentOf(first + second);
    await expect(at.ask('_hca/workspace/join', { ...whole, pieces })).rejects.toMatchObject({
      data: { code: 'HcaBadInput' },
    });
    await put(second);
    expect(await at.ask('_hca/workspace/join', { ...whole, pieces })).toEqual({ sha256: whole.sha256 });
    await expect(at.ask('_hca/workspace/join', { ...whole, pieces: pieces.toReversed() })).rejects.toMatchObject({
      message: expect.stringContaining('the pieces make'),
    });
  });

  test.each([
    ['a path that leads out', [{ path: '../x', mode: 'file', ...contentOf('a') }]],
    ['a repository’s own files', [{ path: '.git/hooks/pre-commit', mode: 'exec', ...contentOf('a') }]],
    ['a repository’s own files, as a Mac reads names', [{ path: 'a/.GIT/config', mode: 'file', ...contentOf('a') }]],
    ['a name that no disk holds', [{ path: 'x'.repeat(256), mode: 'file', ...contentOf('a') }]],
    ['folders in each other without end', [{ path: `${'d/'.repeat(200)}f`, mode: 'file', ...contentOf('a') }]],
    ['a path that leaves no room', [{ path: `${`${'é'.repeat(100)}/`.repeat(16)}f`, mode: 'file', ...contentOf('a') }]],
    ['a link without a target', [{ path: 'l', mode: 'link', ...contentOf('') }]],
    ['half of a character', [{ path: '\ud800', mode: 'file', ...contentOf('a') }]],
    ['content that is not here', [{ path: 'a', mode: 'file', ...contentOf('never sent') }]],
    ['another size than it says', [{ path: 'a', mode: 'file', sha256: digest('a'), bytes: 7 }]],
    ['something that is no list', 'nonsense'],
  ])('a manifest with %s is refused', async (_, entries) => {
    const { at, put } = await open();
    await put('a');
    await put('');
    const manifest = JSON.stringify(entries);
    await put(manifest);
    await expect(at.ask('_hca/workspace/tree', { manifest: contentOf(manifest) })).rejects.toMatchObject({
      data: { code: 'HcaBadInput' },
    });
  });

  test('pieces that make more than the file are refused before one is read', async () => {
    const { at, put } = await open();
    await put('hello');
    const pieces = Array.from({ length: 10_000 }, () => contentOf('hello'));
    await expect(at.ask('_hca/workspace/join', { ...contentOf('hello'), pieces })).rejects.toMatchObject({
      message: 'the pieces have 50000 bytes, not 5',
      data: { code: 'HcaBadInput', field: 'pieces' },
    });
  });

  test('a manifest that is too long to be read is not read', async () => {
    const { at } = await open();
    const manifest = { sha256: digest('never sent'), bytes: 65 * 1024 * 1024 };
    await expect(at.ask('_hca/workspace/tree', { manifest })).rejects.toMatchObject({
      data: { code: 'HcaTooLarge', field: 'manifest' },
    });
  });

  test('a tree that nobody handed over is not found, with what to do', async () => {
    const { at } = await open();
    const workspace = { tree: 'd'.repeat(64), root: '/home/me' };
    await expect(at.ask('_hca/task/submit', { goal: 'take the turn', workspace })).rejects.toMatchObject({
      data: { code: 'HcaNotFound', remedy: expect.stringContaining('_hca/workspace/missing') },
    });
  });

  test('who may only read may hand over nothing', async () => {
    const { at } = await open();
    const reader = { ...OWNER, scopes: ['read' as const] };
    await expect(at.ask('_hca/workspace/put', { base64: base64('a') }, reader)).rejects.toMatchObject({
      data: { code: 'HcaDenied' },
    });
  });
});
