// Handing a folder to a host elsewhere: everything arrives under the same tree, what is there is not sent again, one that broke off goes on, large
// files go in pieces, and directly where the host has a way (architecture 9).
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterEach, expect, test } from 'vitest';
import { handOver } from '#cli/hand-over.ts';
import { snapshotHere } from '#local/snapshot-here.ts';
import { FilesWorkspaces } from '#shared/adapters/local/files-workspaces.ts';
import type { Door } from '#shared/client/door.ts';
import { type TestDoor, testDoor } from '#test/support/door.ts';
import { folder, layOut } from '../../adapters/local/sandbox/folders.ts';

const doors: TestDoor[] = [];
afterEach(async () => {
  for (const door of doors.splice(0)) await door.close();
});

const LARGE = 'large '.repeat(80_000);
const FILES = { 'a.txt': 'a', 'same-as-a.txt': 'a', 'src/b.txt': 'b', 'large.txt': LARGE, 'empty.txt': '' };

/** A host elsewhere, a door to it that counts, and a folder here. */
const open = async () => {
  const store = new FilesWorkspaces(folder('there'));
  const { list, read } = { list: store.list.bind(store), read: store.read.bind(store) };
  const at = await testDoor({ workspaces: { list, read }, store });
  doors.push(at);
  at.door.store = store;
  const asked: string[] = [];
  const call: Door['call'] = (method, params) => {
    asked.push(method);
    return at.ask(method, params);
  };
  const door = { call, address: {}, watch: () => undefined } as unknown as Door;
  const home = folder('here');
  const here = await snapshotHere(home, layOut(folder('ws'), FILES));
  const puts = () => asked.splice(0).filter((method) => method === '_hca/workspace/put').length;
  return { at, store, door, here, puts };
};

test('a folder arrives as the very same tree, and the second time nothing is sent', async () => {
  const { store, door, here, puts } = await open();
  const seen: number[] = [];
  const done = await handOver(door, here, ({ sent }) => void seen.push(sent));
  expect(done.tree).toBe(here.snapshot.tree);
  expect(done.sent).toBe(4);
  expect(seen).toEqual([1, 2, 3, 4]);
  expect(done.bytes).toBe(2 + LARGE.length);
  for (const [path, text] of Object.entries(FILES)) {
    expect(Buffer.from((await store.read(done.tree, path)) ?? []).toString(), path).toBe(text);
  }
  expect(puts()).toBeGreaterThan(5);
  expect((await handOver(door, here, () => undefined)).sent).toBe(0);
  expect(puts()).toBe(0);
});

test('one that broke off goes on where it was', async () => {
  const { door, here, puts } = await open();
  let left = 3;
  const breaking = {
    ...door,
    call: (method: Parameters<Door['call']>[0], params: never) => {
      if (method === '_hca/workspace/put' && left-- === 0) return Promise.reject(new Error('the line broke'));
      return door.call(method, params);
    },
  } as Door;
  await expect(handOver(breaking, here, () => undefined)).rejects.toThrow('the line broke');
  const before = puts();
  const done = await handOver(door, here, () => undefined);
  expect(done.tree).toBe(here.snapshot.tree);
  expect(before).toBe(3);
  expect(done.sent).toBeLessThan(4);
});

test('a content goes directly to where the host says, as it is', async () => {
  const { at, door, here, puts } = await open();
  const arrived: { key: string | undefined; bytes: Buffer }[] = [];
  const bucket = createServer(async (request, response) => {
    const bytes = await buffer(request);
    arrived.push({ key: request.headers['x-key']?.toString(), bytes });
    await at.door.store.putBlob(bytes);
    response.end();
  });
  await new Promise<void>((done) => bucket.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(bucket.address() as AddressInfo).port}/`;
  const store = at.door.store as FilesWorkspaces;
  store.uploads = async (contents: readonly { sha256: string }[] = []) =>
    contents.map(({ sha256 }) => ({ sha256, url, headers: { 'x-key': sha256 } }));
  const done = await handOver(door, here, () => undefined);
  bucket.close();
  expect(done.tree).toBe(here.snapshot.tree);
  expect(puts()).toBe(0);
  expect(arrived.map(({ bytes }) => bytes.toString())).toContain(LARGE);
});

test('an upload that is not taken is a fault that says what to do', async () => {
  const { at, door, here } = await open();
  const store = at.door.store as FilesWorkspaces;
  const bucket = createServer((_, response) => response.writeHead(403).end());
  await new Promise<void>((done) => bucket.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(bucket.address() as AddressInfo).port}/`;
  store.uploads = async (contents: readonly { sha256: string }[] = []) =>
    contents.map(({ sha256 }) => ({ sha256, url, headers: {} }));
  await expect(handOver(door, here, () => undefined)).rejects.toMatchObject({
    code: 'HcaUnavailable',
    message: expect.stringContaining('403'),
    remedy: expect.stringContaining('not sent again'),
  });
  bucket.close();
});
