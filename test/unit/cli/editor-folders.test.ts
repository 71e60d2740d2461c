// An editor here and a host elsewhere: each prompt takes along what is in the folder at that moment; everything else passes as it is.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { editorFolders } from '#cli/editor-folders.ts';
import { FilesWorkspaces } from '#shared/adapters/local/files-workspaces.ts';
import type { Door } from '#shared/client/door.ts';
import { type TestDoor, testDoor } from '#test/support/door.ts';
import { folder, layOut } from '../../adapters/local/sandbox/folders.ts';

const doors: TestDoor[] = [];
afterEach(async () => {
  for (const door of doors.splice(0)) await door.close();
});

const open = async () => {
  const store = new FilesWorkspaces(folder('there'));
  const at = await testDoor({ workspaces: { list: store.list.bind(store), read: store.read.bind(store) } });
  doors.push(at);
  at.door.store = store;
  const door = { call: at.ask, address: {}, watch: () => undefined } as unknown as Door;
  const cwd = layOut(folder('ws'), { 'a.txt': 'a' });
  const warned: string[] = [];
  const folders = editorFolders(door, folder('here'), (text) => void warned.push(text));
  const say = async (frame: object) => JSON.parse(await folders.outgoing(JSON.stringify(frame)));
  const prompt = (sessionId: string, text: string, _meta?: object) => ({
    jsonrpc: '2.0',
    id: 9,
    method: 'session/prompt',
    params: { sessionId, prompt: [{ type: 'text', text }], ...(_meta && { _meta }) },
  });
  return { store, cwd, warned, folders, say, prompt };
};

test('a prompt of a new session takes the folder along, as it is then', async () => {
  const { store, cwd, folders, say, prompt } = await open();
  const opening = { jsonrpc: '2.0', id: 1, method: 'session/new', params: { cwd, mcpServers: [] } };
  expect(await say(opening)).toEqual(opening);
  folders.incoming(JSON.stringify({ jsonrpc: '2.0', id: 7, result: { sessionId: 'other' } }));
  folders.incoming(JSON.stringify({ jsonrpc: '2.0', id: 1, result: { sessionId: 's1' } }));
  const first = await say(prompt('s1', 'fix it', { traceparent: 't' }));
  const { workspace } = first.params._meta.hca.task;
  expect(first.params._meta.traceparent).toBe('t');
  expect(workspace.root).toBe(cwd);
  expect(Buffer.from((await store.read(workspace.tree, 'a.txt')) ?? []).toString()).toBe('a');
  writeFileSync(join(cwd, 'a.txt'), 'edited');
  const second = await say(prompt('s1', 'also more'));
  expect(second.params._meta.hca.task.workspace.tree).not.toBe(workspace.tree);
  expect(second.params.prompt).toEqual([{ type: 'text', text: 'also more' }]);
});

test('a session that is loaded is known by its name; commands, other frames and terms of the editor pass as they are', async () => {
  const { cwd, folders, say, prompt } = await open();
  await say({ jsonrpc: '2.0', id: 1, method: 'session/load', params: { cwd, sessionId: 's2', mcpServers: [] } });
  expect((await say(prompt('s2', 'fix it'))).params._meta.hca.task.workspace.root).toBe(cwd);
  const own = { hca: { task: { workspace: { git: { url: 'https://git.example/x' } }, retries: 1 } } };
  expect((await say(prompt('s2', 'fix it', own))).params._meta).toEqual(own);
  for (const frame of [
    prompt('s2', '/status'),
    prompt('unknown', 'fix it'),
    { jsonrpc: '2.0', method: 'session/cancel' },
  ])
    expect(await say(frame)).toEqual(frame);
  expect(await folders.outgoing('not json')).toBe('not json');
});

test('a folder that cannot be handed over is said on the side, and the host has the word', async () => {
  const { say, prompt, warned } = await open();
  await say({ jsonrpc: '2.0', id: 1, method: 'session/resume', params: { cwd: '/nowhere/here', sessionId: 's3' } });
  expect(await say(prompt('s3', 'fix it'))).toEqual(prompt('s3', 'fix it'));
  expect(warned[0]).toContain('/nowhere/here');
});
