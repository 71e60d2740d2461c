// Editors at a host for others: the official client over WebSocket and HTTP and the bridge, each with a token; one that ends in the middle; somebody
// who knows another's connection.
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { keepLogin } from '#cli/credentials.ts';
import { readRules, tokenVerifier } from '#functions/authorize/step.ts';
import { remoteGate } from '#local/gate.ts';
import { type LocalServer, startServer } from '#local/server.ts';
import { endpointOf } from '#shared/client/address.ts';
import { TestClient } from '#test/support/acp.ts';
import { openStream, startAcp, streamOf, wireOf } from '#test/support/acp-wires.ts';
import { OWNER, type TestDoor, testDoor } from '#test/support/door.ts';
import { AUDIENCE, type Issuer, startIssuer } from '#test/support/issuer.ts';

let issuer: Issuer;
let at: TestDoor;
let server: LocalServer;
/** How far the clock of the house is ahead, in ms. */
let late = 0;

beforeAll(async () => {
  issuer = await startIssuer();
  const real = await testDoor();
  const { clock } = real.door.ports;
  const ports = { ...real.door.ports, clock: { ...clock, now: () => clock.now() + late } };
  at = { ...real, door: { ...real.door, ports } };
  const verify = tokenVerifier(readRules({ issuer: issuer.url, audience: AUDIENCE }));
  const gate = remoteGate({ names: ['127.0.0.1'], origins: [], tenant: 'acme', verify });
  const door = { principal: OWNER, door: at.door, follow: at.house.follow };
  server = await startServer(door, { host: '127.0.0.1', port: 0, gate: () => gate });
});
afterAll(async () => {
  await server.close();
  await at.close();
  await issuer.close();
});

const tokenOf = (claims: Record<string, unknown> = {}, expires_in = 3600) =>
  issuer.sign({ expires_in, claims: { tenant: 'acme', ...claims } });

const connected = async (transport: 'websocket' | 'http', token: string) => {
  const { stream, end } = openStream(transport, server.port, token);
  const client = new TestClient(wireOf(stream));
  await client.hello();
  return { client, end };
};

it.each(['websocket', 'http'] as const)('over %s: a prompt with its plan and a permission', async (transport) => {
  const { client, end } = await connected(transport, await tokenOf({ sub: 'dan' }));
  const sessionId = await client.newSession('/w');
  expect((await client.prompt(sessionId, 'take the turn')).result).toEqual({ stopReason: 'end_turn' });
  expect(client.updates('plan').length).toBeGreaterThan(0);
  expect((await client.ask('_hca/whoami', {})).result).toMatchObject({ subject: 'dan' });
  await end();
});

it('a connection that outlives its token is refused until it shows a fresh one of the same person', async () => {
  const { client, end } = await connected('websocket', await tokenOf({ sub: 'eve' }, 600));
  expect((await client.ask('session/list', {})).result.sessions).toEqual([]);
  late = 700_000;
  const EXPIRED = { code: -32000, data: { code: 'HcaUnauthenticated', field: 'token' } };
  expect((await client.ask('session/list', {})).error).toMatchObject(EXPIRED);
  expect((await client.ask('_hca/task/list', {})).error).toMatchObject(EXPIRED);
  const renew = (token: string) => client.ask('authenticate', { methodId: 'host-token', _meta: { hca: { token } } });
  expect((await renew(await tokenOf({ sub: 'mallory' }))).error).toMatchObject({ data: { code: 'HcaDenied' } });
  expect((await renew(await tokenOf({ sub: 'eve', tenant: 'other' }))).error).toMatchObject({
    data: { code: 'HcaDenied' },
  });
  expect((await renew(await tokenOf({ sub: 'eve' }))).result).toEqual({});
  expect((await client.ask('session/list', {})).result.sessions).toEqual([]);
  late = 0;
  await end();
});

it('over HTTP each request brings its token: a later one goes on', async () => {
  const first = await call(await tokenOf({ sub: 'fay' }, 600), {
    method: 'initialize',
    params: { protocolVersion: 1 },
  });
  const id = first.headers.get('acp-connection-id') ?? '';
  const ask = { method: 'session/new', params: { cwd: '/w', mcpServers: [] } };
  const sessions = () => at.door.ports.sessions.list({ tenant: 'local', subject: 'fay' }, { limit: 10 });
  const until = async (count: number) => {
    while ((await sessions()).length < count) await new Promise((resolve) => setImmediate(resolve));
  };
  expect((await call(await tokenOf({ sub: 'gus' }), ask, id)).status).toBe(404);
  expect((await call(await tokenOf({ sub: 'fay' }, 600), ask, id)).status).toBe(202);
  await until(1);
  late = 700_000;
  expect((await call(await tokenOf({ sub: 'fay' }, 7200), ask, id)).status).toBe(202);
  await until(2);
  late = 0;
});

const call = (token: string, body: object, id?: string) =>
  fetch(`http://127.0.0.1:${server.port}/acp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${token}`,
      ...(id === undefined ? {} : { 'acp-connection-id': id }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...body }),
  });

it('an editor through the bridge, with a stored login', async () => {
  const home = mkdtempSync(path.join(os.tmpdir(), 'hca-login-'));
  rmSync(home, { recursive: true });
  const endpoint = `ws://127.0.0.1:${server.port}/acp`;
  const login = {
    ...endpointOf(endpoint),
    kind: 'token' as const,
    token: await tokenOf({ sub: 'hal' }),
    expires_at: null,
  };
  keepLogin(home, login);
  const child = startAcp(['--endpoint', endpoint, '--on-host'], { HCA_HOME: home });
  const client = new TestClient(wireOf(streamOf(child)));
  await client.hello();
  const sessionId = await client.newSession('/w');
  expect((await client.prompt(sessionId, 'what can you do?')).result).toEqual({ stopReason: 'end_turn' });
  expect((await at.door.ports.sessions.list({ tenant: 'local', subject: 'hal' }, { limit: 5 })).length).toBe(1);
  child.stdin?.end();
  expect(await once(child, 'exit')).toEqual([0, null]);
  rmSync(home, { recursive: true });
});
