// A token that ends in the middle of a connection: every frame is refused, nothing more is sent, and a fresh token goes on where it stopped.
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Peer } from '#functions/acp/step.ts';
import type { Principal } from '#shared/contracts/acp-host.ts';
import { HcaFault } from '#shared/contracts/errors.ts';
import { memoryWire, TestClient } from '#test/support/acp.ts';
import { OWNER, type TestDoor, testDoor } from '#test/support/door.ts';

/** Ten minutes from now, and a clock that can be put beyond that. */
const LIFE_MS = 600_000;

let at: TestDoor;
let late = 0;
beforeEach(async () => {
  const real = await testDoor({ started: false });
  const { clock } = real.door.ports;
  const ports = { ...real.door.ports, clock: { ...clock, now: () => clock.now() + late } };
  at = { ...real, door: { ...real.door, ports } };
  late = 0;
});
afterEach(() => at.close());

/** Tokens are names here: what each says of its holder. */
const TOKENS: Record<string, Partial<Principal>> = {
  fresh: {},
  'read-only': { scopes: ['read'] },
  'of-bob': { subject: 'bob' },
  'of-another-tenant': { tenant: 'another' },
};

const verify = async (token: string) => {
  const says = TOKENS[token];
  if (says === undefined)
    throw new HcaFault('HcaUnauthenticated', { message: 'the token is not valid', field: 'Authorization' });
  return { principal: { ...OWNER, ...says }, expires_at: Date.now() + 2 * LIFE_MS };
};

const connect = (): TestClient => {
  const token: Pick<Peer, 'expires_at' | 'verify'> = { expires_at: Date.now() + LIFE_MS, verify };
  return new TestClient(memoryWire(at, OWNER, token));
};

const renew = (client: TestClient, token: string) =>
  client.ask('authenticate', { methodId: 'host-token', _meta: { hca: { token } } });

const EXPIRED = { code: -32000, data: { code: 'HcaUnauthenticated', field: 'token' } };

it('is refused in every request from then on, of ACP and of ours, with what to do', async () => {
  const client = connect();
  await client.hello();
  const sessionId = await client.newSession();
  expect((await client.ask('_hca/task/list', {})).result.tasks).toEqual([]);
  late = LIFE_MS + 1;
  for (const [method, params] of [
    ['initialize', { protocolVersion: 1 }],
    ['session/list', {}],
    ['session/new', { cwd: '/w', mcpServers: [] }],
    ['session/prompt', { sessionId, prompt: [{ type: 'text', text: 'take the turn' }] }],
    ['authenticate', { methodId: 'host-token' }],
    ['_hca/task/list', {}],
    ['_hca/down', {}],
  ] as const) {
    const answer = await client.ask(method, params);
    expect(answer.error, method).toMatchObject(EXPIRED);
    expect(answer.error?.data.remedy, method).toContain('authenticate');
  }
  expect(at.stopped()).toBe(false);
  expect(await at.door.ports.sessions.unfinished('local', sessionId)).toEqual([]);
});

it('notifications and answers are silence and change nothing', async () => {
  const client = connect();
  await client.hello();
  const sessionId = await client.newSession();
  await client.beginPrompt(sessionId, 'take the turn');
  late = LIFE_MS + 1;
  const before = client.sent.length;
  await client.notify('session/cancel', { sessionId });
  await client.wire.send({ jsonrpc: '2.0', id: 'perm_1', result: {} });
  expect(client.sent).toHaveLength(before);
  const [turn] = await at.door.ports.sessions.unfinished('local', sessionId);
  expect(turn?.cancel).toBeNull();
});

it('in the middle of a prompt: nothing is sent until a fresh one comes, then all of it, once', async () => {
  const client = connect();
  await client.hello();
  const sessionId = await client.newSession();
  const prompt = await client.beginPrompt(sessionId, 'take the turn');
  late = LIFE_MS + 1;
  const before = client.sent.length;
  at.house.start();
  await client.wire.quiet();
  expect(client.sent).toHaveLength(before);
  expect((await renew(client, 'fresh')).result).toEqual({});
  expect((await client.answerTo(prompt)).result).toMatchObject({ stopReason: 'end_turn' });
  const calls = client.updates('tool_call').map(({ toolCallId }) => toolCallId);
  expect(calls.length).toBeGreaterThan(0);
  expect(new Set(calls).size).toBe(calls.length);
});

it('the fresh one brings its own scopes, and ends as well', async () => {
  const client = connect();
  await client.hello();
  late = LIFE_MS + 1;
  await renew(client, 'read-only');
  expect((await client.ask('session/list', {})).result.sessions).toEqual([]);
  expect((await client.ask('session/new', { cwd: '/w', mcpServers: [] })).error).toMatchObject({
    data: { code: 'HcaDenied', field: 'scope' },
  });
  expect((await client.ask('_hca/down', {})).error).toMatchObject({ data: { code: 'HcaDenied' } });
  late = 2 * LIFE_MS + 1000;
  expect((await client.ask('session/list', {})).error).toMatchObject(EXPIRED);
});

it('what a connection may do is stored with it, for a process that has no token to look at', async () => {
  const client = connect();
  await client.hello();
  const [connection] = await at.door.ports.sessions.followers('local', await client.newSession());
  expect(connection).toMatchObject({ scopes: OWNER.scopes, expires_at: expect.any(Number) });
  await renew(client, 'read-only');
  const [renewed] = await at.door.ports.sessions.followers(
    'local',
    (await client.ask('session/list', {})).result.sessions[0].sessionId,
  );
  expect(renewed).toMatchObject({ scopes: ['read'] });
});

it('saying hello again does not bring back the first one, nor does it lose the fresh one', async () => {
  const client = connect();
  await client.hello();
  await renew(client, 'fresh');
  late = LIFE_MS + 1;
  expect((await client.hello()).result.protocolVersion).toBe(1);
  expect((await client.ask('session/list', {})).result.sessions).toEqual([]);
});

it.each([
  ['of-bob', 'HcaDenied'],
  ['of-another-tenant', 'HcaDenied'],
  ['nonsense', 'HcaUnauthenticated'],
])('a fresh one that is %s does not help', async (token, code) => {
  const client = connect();
  await client.hello();
  late = LIFE_MS + 1;
  expect((await renew(client, token)).error).toMatchObject({ data: { code } });
  expect((await client.ask('session/list', {})).error).toMatchObject(EXPIRED);
});

it('the token file of a home never ends', async () => {
  const client = new TestClient(memoryWire(at));
  await client.hello();
  late = 100 * LIFE_MS;
  expect((await client.ask('session/list', {})).result.sessions).toEqual([]);
});
