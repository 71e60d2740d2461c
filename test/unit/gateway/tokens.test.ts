// A token that ends while a WebSocket lives, at the door in the cloud: a fresh one of the same person goes on where it stopped, checked by the issuer's
// keys and not by API Gateway, which asks its authorizer once (architecture 11).
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { answerGateway, type Gateway } from '#functions/acp/step.ts';
import { readRules, tokenVerifier } from '#functions/authorize/step.ts';
import { testDoor } from '#test/support/door.ts';
import { AUDIENCE, type Issuer, startIssuer } from '#test/support/issuer.ts';
import { type MemoryConnections, memoryConnections, memoryWatchers } from '#test/support/memory-watchers.ts';

const LIFE_MS = 600_000;

let issuer: Issuer;
let gateway: Gateway;
let connections: MemoryConnections;
let late = 0;
let asked = 0;

beforeAll(async () => {
  issuer = await startIssuer();
});
afterAll(() => issuer.close());

beforeEach(async () => {
  const real = await testDoor({ started: false });
  onTestFinished(() => real.close());
  late = 0;
  const { clock } = real.door.ports;
  const ports = { ...real.door.ports, clock: { ...clock, now: () => clock.now() + late } };
  connections = memoryConnections();
  gateway = {
    door: { ...real.door, ports },
    watchers: memoryWatchers(),
    connections,
    issuer: { issuer: issuer.url, audience: AUDIENCE, socket: 'wss://sockets.example.org/live' },
    verify: tokenVerifier(readRules({ issuer: issuer.url, audience: AUDIENCE })),
    forTenant: (_tenant, work) => work(),
  };
  await answerGateway(event('CONNECT', { headers: {} }), gateway);
  await ask('initialize', { protocolVersion: 1, clientCapabilities: {} });
});

const event = (eventType: string, more: object) => {
  const ends = String(Date.now() + LIFE_MS);
  const authorizer = { tenant: 'local', subject: 'alice', scopes: 'read submit approve', expires_at: ends };
  return { requestContext: { eventType, connectionId: 'one', authorizer }, ...more };
};

const ask = async (method: string, params: object) => {
  asked += 1;
  const body = JSON.stringify({ jsonrpc: '2.0', id: asked, method, params });
  await answerGateway(event('MESSAGE', { body }), gateway);
  return connections.arrived('one').find(({ id }) => id === asked) as {
    result?: unknown;
    error?: { data: { code: string } };
  };
};

const show = (token: string) => ask('authenticate', { methodId: 'host-token', _meta: { hca: { token } } });

describe('a token that has ended', () => {
  test('is followed by a fresh one of the same person', async () => {
    late = LIFE_MS + 1;
    expect((await ask('session/list', {})).error?.data.code).toBe('HcaUnauthenticated');
    expect((await show(await issuer.sign())).result).toEqual({});
    expect((await ask('session/list', {})).result).toMatchObject({ sessions: [] });
  });

  test('and whose fresh one may less is somebody who may less', async () => {
    late = LIFE_MS + 1;
    await show(await issuer.sign({ claims: { scope: 'read' } }));
    const denied = await ask('session/new', { cwd: '/w', mcpServers: [] });
    expect(denied.error?.data.code).toBe('HcaDenied');
  });

  test.each([
    ['of somebody else', { claims: { sub: 'bob' } }, 'HcaDenied'],
    ['of another tenant', { claims: { tenant: 'other' } }, 'HcaDenied'],
    ['for another audience', { claims: { aud: 'shop' } }, 'HcaUnauthenticated'],
    ['that has ended too', { expires_in: -60 }, 'HcaUnauthenticated'],
  ])('is not followed by one %s', async (_what, how, code) => {
    late = LIFE_MS + 1;
    expect((await show(await issuer.sign(how))).error?.data.code).toBe(code);
    expect((await ask('session/list', {})).error?.data.code).toBe('HcaUnauthenticated');
  });
});
