// `POST /rpc` as API Gateway hands it over: who asks, what is wrong with a request, and the status of every answer (requirements section 7).
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { answerGateway, type Gateway, gatewayOf } from '#functions/acp/step.ts';
import { DoorDescription } from '#shared/client/oauth.ts';
import { type TestDoor, testDoor } from '#test/support/door.ts';
import { memoryConnections, memoryWatchers } from '#test/support/memory-watchers.ts';

let test_door: TestDoor;
let gateway: Gateway;
const tenants: string[] = [];

beforeAll(async () => {
  test_door = await testDoor();
  gateway = {
    door: { ...test_door.door, limits: { frames: 50, burst: 500, prompts: 60, sessions: 500, tasks: 50, bytes: 2048 } },
    watchers: memoryWatchers(),
    connections: memoryConnections(),
    issuer: null,
    forTenant: (tenant, work) => {
      tenants.push(tenant);
      return work();
    },
  };
});
afterAll(() => test_door.close());

const ISSUING = { issuer: 'https://login.example.org', audience: 'hca', socket: 'wss://sockets.example.org/live' };

const CONTEXT = { tenant: 'local', subject: 'ann', scopes: 'read', expires_at: '99999999999999' };

const post = (
  body: string,
  more: { authorizer?: object; headers?: Record<string, string>; encoded?: boolean } = {},
) => ({
  version: '2.0',
  rawPath: '/rpc',
  headers: more.headers ?? { 'content-type': 'application/json' },
  body: more.encoded === true ? Buffer.from(body).toString('base64') : body,
  isBase64Encoded: more.encoded ?? false,
  requestContext: { http: { method: 'POST' }, authorizer: more.authorizer ?? { lambda: CONTEXT } },
});

const frame = (method: string, params: object = {}) => JSON.stringify({ jsonrpc: '2.0', id: 7, method, params });
const codeIn = (body: string | undefined): unknown => JSON.parse(body ?? '{}').error?.data?.code;

describe('who may ask', () => {
  const ask = (path: string, issuer: Gateway['issuer']) => {
    const requestContext = { http: { method: 'GET' }, domainName: 'door.example.org' };
    return answerGateway({ version: '2.0', rawPath: path, headers: {}, requestContext }, { ...gateway, issuer });
  };

  test('is said to whoever has no token yet, as a login reads it', async () => {
    const answer = await ask('/.well-known/oauth-protected-resource', ISSUING);
    expect(answer.statusCode).toBe(200);
    expect(DoorDescription.parse(JSON.parse(answer.body ?? ''))).toEqual({
      resource: 'https://door.example.org',
      authorization_servers: ['https://login.example.org'],
      scopes_supported: ['read', 'submit', 'approve', 'admin'],
      hca_audience: 'hca',
      hca_socket: 'wss://sockets.example.org/live',
    });
  });

  test('nothing else is answered without a token', async () => {
    expect((await ask('/rpc', ISSUING)).statusCode).toBe(401);
  });
});

/** The door as a deployment puts it together. */
const deployed = (throttle?: NonNullable<Parameters<typeof gatewayOf>[0]['throttle']>): Gateway => {
  const { ports } = test_door.house;
  const { store, preview } = test_door.door;
  const { watchers, connections, forTenant } = gateway;
  return gatewayOf(
    {
      ...ports,
      ...{ watchers, connections, workspaces: { ...ports.workspaces, ...store } },
      ...(throttle && { throttle }),
    },
    { preview, deployment: { version: '1.0.0', instance: 'hca-test', issuer: null }, forTenant },
  );
};

describe('a repository', () => {
  test.each(['_hca/task/submit', '_hca/task/plan'])('is not fetched by %s, which says what to do', async (method) => {
    const workspace = { git: { url: 'https://git.example.org/team/shop.git', ref: 'main' } };
    const authorizer = { lambda: { ...CONTEXT, scopes: 'read submit' } };
    const answer = await answerGateway(post(frame(method, { goal: 'turn it', workspace }), { authorizer }), deployed());
    expect([answer.statusCode, codeIn(answer.body)]).toEqual([409, 'HcaRefused']);
    const { field, remedy } = JSON.parse(answer.body ?? '').error.data;
    expect([field, remedy]).toEqual(['workspace.git', expect.stringContaining('clone it on your own machine')]);
  });
});

describe('counting', () => {
  test('somebody who has none left is told to wait, at the rate of this host', async () => {
    const counted: unknown[] = [];
    const door = deployed(async ({ subject }, what, rate) => {
      counted.push([subject, what, rate]);
      return 1500;
    });
    const answer = await answerGateway(post(frame('_hca/ping')), door);
    expect(answer.statusCode).toBe(429);
    expect(JSON.parse(answer.body ?? '').error.data).toMatchObject({ code: 'HcaThrottled', retry_after_ms: 1500 });
    expect(counted).toEqual([['ann', 'frame', { most: 500, refill_ms: 10_000 }]]);
  });
});

describe('POST /rpc', () => {
  test('a frame in, its answer out, in its tenant', async () => {
    tenants.length = 0;
    const answer = await answerGateway(post(frame('_hca/ping')), gateway);
    expect(answer.statusCode).toBe(200);
    expect(JSON.parse(answer.body ?? '')).toMatchObject({ id: 7, result: { version: '9.9.9' } });
    expect(tenants).toEqual(['local']);
  });

  test('a body in base64 is the same body', async () => {
    expect((await answerGateway(post(frame('_hca/ping'), { encoded: true }), gateway)).statusCode).toBe(200);
  });

  test('scopes are those of the token', async () => {
    const answer = await answerGateway(post(frame('_hca/task/cancel', { task: 'last' })), gateway);
    expect([answer.statusCode, codeIn(answer.body)]).toEqual([403, 'HcaDenied']);
  });

  test('whoever signed a request is its subject, with every scope', async () => {
    const authorizer = { iam: { userArn: 'arn:aws:iam::111122223333:user/ann' } };
    const answer = await answerGateway(post(frame('_hca/whoami'), { authorizer }), gateway);
    const { result } = JSON.parse(answer.body ?? '');
    expect(result).toMatchObject({ tenant: 'main', subject: 'arn:aws:iam::111122223333:user/ann' });
    expect(result.scopes).toContain('admin');
  });

  test('where tokens are asked for, a signature alone gets nowhere', async () => {
    const asked = post(frame('_hca/ping'), { authorizer: { iam: { userArn: 'arn:aws:iam::1:user/ann' } } });
    const answer = await answerGateway(asked, { ...gateway, issuer: ISSUING });
    expect([answer.statusCode, codeIn(answer.body)]).toEqual([401, 'HcaUnauthenticated']);
  });

  test.each([
    { what: 'not JSON', event: post('{'), status: 400 },
    { what: 'another content type', event: post('{}', { headers: { 'Content-Type': 'text/plain' } }), status: 400 },
    { what: 'too large', event: post(frame('_hca/ping', { padding: 'x'.repeat(3000) })), status: 413 },
    { what: 'a notification', event: post(JSON.stringify({ jsonrpc: '2.0', method: '_hca/ping' })), status: 202 },
    { what: 'an unknown method', event: post(frame('_hca/nothing')), status: 400 },
  ])('$what', async ({ event, status }) => {
    expect((await answerGateway(event, gateway)).statusCode).toBe(status);
  });
});
