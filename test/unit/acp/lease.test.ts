// Two processes that are woken at once for one connection: what it is owed is sent once and in order, by whoever was first (architecture 2).
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Peer, pump, receive } from '#functions/acp/step.ts';
import { readFrame } from '#shared/protocols/acp/frame.ts';
import { memoryWire, TestClient } from '#test/support/acp.ts';
import { OWNER, type TestDoor, testDoor } from '#test/support/door.ts';

let at: TestDoor;
beforeEach(async () => {
  at = await testDoor();
});
afterEach(() => at.close());

/** A client with a session and a finished task of which nothing was sent yet, and what one connection that missed nothing saw. */
const owing = async (): Promise<{ wire: ReturnType<typeof memoryWire>; all: unknown[] }> => {
  const [wire, other] = [memoryWire(at), memoryWire(at)];
  const client = new TestClient(wire);
  await client.hello();
  const sessionId = await client.newSession();
  const watcher = new TestClient(other);
  await watcher.hello();
  await watcher.ask('session/resume', { sessionId, cwd: '/w', mcpServers: [] });
  await watcher.prompt(sessionId, 'take the turn');
  return { wire, all: watcher.updates() };
};

/** A process of its own that pumps the connection: it notes what it sends and yields at every frame. */
const process = (wire: ReturnType<typeof memoryWire>, log: { who: string; update: unknown }[], who: string): Peer => ({
  ...wire.peer(),
  send: async (frame) => {
    const { params } = JSON.parse(JSON.stringify(frame));
    log.push({ who, update: params?.update });
    for (let n = 0; n < 5; n += 1) await turn();
  },
});

const kindOf = (update: unknown): unknown => Object(update).sessionUpdate;

test('of two pumps that overlap one sends everything, in order, and nothing comes twice', async () => {
  const { wire, all } = await owing();
  const log: { who: string; update: unknown }[] = [];
  let open = 0;
  let most = 0;
  const run = async (who: string) => {
    open += 1;
    const wake = await pump({
      ...process(wire, log, who),
      send: async (frame, session) => {
        most = Math.max(most, open);
        await process(wire, log, who).send(frame, session);
      },
    });
    open -= 1;
    return wake;
  };
  const wakes = await Promise.all([run('a'), run('b')]);
  expect(most).toBe(2);
  expect(new Set(log.map(({ who }) => who)).size).toBe(1);
  const shown = log.map(({ update }) => update).filter((update) => kindOf(update) !== 'user_message_chunk');
  expect(shown.length).toBeGreaterThan(5);
  expect(shown).toEqual(all);
  // Who left is told when to look again, in case the other one dies.
  expect(wakes.some(({ at: when }) => when !== null)).toBe(true);
  await pump(process(wire, log, 'c'));
  expect(log.filter(({ who }) => who === 'c')).toEqual([]);
});

test('what is written while another process sends is sent by that one', async () => {
  const { wire } = await owing();
  const log: { who: string; update: unknown }[] = [];
  const first = process(wire, log, 'a');
  let isWritten = false;
  await pump({
    ...first,
    send: async (frame, session) => {
      await first.send(frame, session);
      if (isWritten) return;
      isWritten = true;
      const [attached] = await at.door.ports.sessions.attachments(OWNER.tenant, first.connection);
      if (attached === undefined) throw new Error('it follows nothing');
      const other = new TestClient(memoryWire(at));
      await other.hello();
      await other.ask('session/set_mode', { sessionId: attached.session, modeId: 'always' });
      await pump(process(wire, log, 'b'));
    },
  });
  expect(log.filter(({ who }) => who === 'b')).toEqual([]);
  expect(log.at(-1)?.update).toMatchObject({ currentModeId: 'always' });
});

test('a claim whose holder died runs out, and the next one sends what it did not', async () => {
  const { wire, all } = await owing();
  const { sessions, clock } = at.door.ports;
  const [attached] = await sessions.attachments(OWNER.tenant, wire.peer().connection);
  if (attached === undefined) throw new Error('it follows nothing');
  const log: { who: string; update: unknown }[] = [];
  await sessions.move({ ...attached, claimed_until: clock.now() + 60_000 });
  expect((await pump(process(wire, log, 'b'))).at).toBeGreaterThan(clock.now());
  expect(log).toEqual([]);
  await sessions.move({ ...attached, version: attached.version + 1, claimed_until: clock.now() - 1 });
  await pump(process(wire, log, 'b'));
  expect(log.length).toBe(all.length + 1);
});

test('a session is followed only once its client knows it: another process sends nothing of it before the answer', async () => {
  const wire = memoryWire(at);
  await new TestClient(wire).hello();
  const followed: number[] = [];
  const peer: Peer = {
    ...wire.peer(),
    send: async () =>
      void followed.push((await at.door.ports.sessions.attachments(OWNER.tenant, wire.peer().connection)).length),
  };
  const frame = { jsonrpc: '2.0', id: 9, method: 'session/new', params: { cwd: '/w', mcpServers: [] } };
  await receive(readFrame(JSON.stringify(frame)), peer);
  expect(followed).toEqual([0]);
  expect(await at.door.ports.sessions.attachments(OWNER.tenant, wire.peer().connection)).toHaveLength(1);
});
