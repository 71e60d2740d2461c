// Watching where no WebSocket gets through: the journal is asked for instead, without a gap or a double; and what a gateway's no means.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { dispatch } from '#functions/acp/step.ts';
import { endpointOf } from '#shared/client/address.ts';
import { type Door, openDoor } from '#shared/client/door.ts';
import { fixedToken } from '#shared/client/proof.ts';
import type { JournalSlice } from '#shared/contracts/acp-task.ts';
import { readFrame } from '#shared/protocols/acp/frame.ts';
import { OWNER, type TestDoor, testDoor } from '#test/support/door.ts';

let at: TestDoor;
let server: Server;
let door: Door;
/** What the front does beside answering: counts, or says no in words of its own. */
let front: { asked: string[]; status: number | null; upgrades: number };

beforeEach(async () => {
  at = await testDoor({ started: false });
  front = { asked: [], status: null, upgrades: 0 };
  server = createServer(async (request, response) => {
    const read = readFrame(await text(request));
    if (front.status !== null || read.kind !== 'request') {
      response.writeHead(front.status ?? 400).end(JSON.stringify({ message: 'Unauthorized' }));
      return;
    }
    front.asked.push(read.frame.method);
    response.end(JSON.stringify(await dispatch(read.frame, OWNER, at.door)));
  });
  server.on('upgrade', (_request, socket) => {
    front.upgrades += 1;
    socket.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  door = openDoor({ ...endpointOf(`http://127.0.0.1:${port}`), proof: fixedToken('x') }, { pause: 1 });
});
afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await at.close();
});

it('asks for the journal until the task is over', async () => {
  const { task } = await door.call('_hca/task/submit', { goal: 'take the turn', workspace: '/w' });
  const slices: JournalSlice[] = [];
  for await (const slice of door.watch(task, {})) {
    if (slices.length === 0) at.house.start();
    slices.push(slice);
  }
  expect(front.upgrades).toBe(1);
  expect(slices.at(-1)?.done).toBe(true);
  const seen = slices.flatMap(({ entries }) => entries);
  const whole = await door.call('_hca/task/journal', { task, cursor: '', limit: 1000 });
  // What is told after its end (lessons, acknowledgements) is journalled as well, but nobody waits for it.
  expect(seen).toEqual(whole.entries.slice(0, seen.length));
  expect(seen.some(({ record, state }) => record === task && state === 'completed')).toBe(true);
  const again: JournalSlice[] = [];
  for await (const slice of door.watch(task, { cursor: slices[0]?.cursor ?? '' })) again.push(slice);
  const rest = seen.slice(slices[0]?.entries.length);
  expect(again.flatMap(({ entries }) => entries).slice(0, rest.length)).toEqual(rest);
});

it('ends when nobody watches any more', async () => {
  const { task } = await door.call('_hca/task/submit', { goal: 'take the turn', workspace: '/w' });
  const gone = new AbortController();
  let pages = 0;
  for await (const _slice of door.watch(task, { signal: gone.signal })) {
    pages += 1;
    gone.abort();
  }
  expect(pages).toBe(1);
});

it('says what the door says, when that is no', async () => {
  const watch = door.watch('01ZZZZZZZZZZZZZZZZZZZZZZZZ', {});
  await expect(watch.next()).rejects.toMatchObject({ code: 'HcaNotFound' });
});

it('waits as long as the door says when it asked for too much, and asks again', async () => {
  let asked = 0;
  const throttle = async () => {
    asked += 1;
    return asked < 3 ? 5 : 0;
  };
  at = { ...at, door: { ...at.door, throttle } };
  expect((await door.call('_hca/task/list', {})).tasks).toEqual([]);
  expect(asked).toBe(3);
  at = { ...at, door: { ...at.door, throttle: async () => 60_000 } };
  await expect(door.call('_hca/task/list', {})).rejects.toMatchObject({ code: 'HcaThrottled', retry_after_ms: 60_000 });
});

it.each([
  [401, 'HcaUnauthenticated', 'hca login'],
  [403, 'HcaUnauthenticated', 'hca login'],
  [429, 'HcaThrottled', 'later'],
  [502, 'HcaUnavailable', ''],
])('a gateway that answers %i', async (status, code, remedy) => {
  front.status = status;
  const fault = (await door.call('_hca/ping', {}).catch((error: unknown) => error)) as { remedy: string };
  expect(fault).toMatchObject({ code });
  expect(fault.remedy).toContain(remedy);
});

it.each([
  ['wss://hca.example.org/acp', 'https://hca.example.org', 'wss://hca.example.org/acp'],
  ['wss://hca.example.org', 'https://hca.example.org', 'wss://hca.example.org/acp'],
  ['https://hca.example.org/', 'https://hca.example.org', 'wss://hca.example.org/acp'],
  ['https://hca.example.org/team/acp', 'https://hca.example.org/team', 'wss://hca.example.org/team/acp'],
  ['http://127.0.0.1:4711', 'http://127.0.0.1:4711', 'ws://127.0.0.1:4711/acp'],
])('%s is one host', (given, url, socket) => {
  expect(endpointOf(given)).toEqual({ url, socket });
});

it.each([
  ['http://hca.example.org', 'https'],
  ['ws://hca.example.org/acp', 'wss'],
  ['http://10.0.0.7:8443', 'https'],
  ['http://localhost.example.org', 'https'],
  ['http://127.evil.example', 'https'],
])('%s is refused: a token would be sent in clear', (given, remedy) => {
  expect(() => endpointOf(given)).toThrow(
    expect.objectContaining({
      code: 'HcaBadInput',
      field: '--endpoint',
      remedy: expect.stringContaining(`its ${remedy} address`),
    }),
  );
});

it.each(['http://localhost:4711', 'ws://[::1]:4711/acp', 'http://127.1.2.3'])('%s stays on this machine', (given) => {
  expect(endpointOf(given).url).toMatch(/^http:/);
});
