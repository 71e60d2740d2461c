// `POST /rpc` as API Gateway hands it over: who asks, what is wrong with a request, and the status of every answer (requirements section 7).
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { answerGateway, type Gateway } from '#functions/acp/step.ts';
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
    issuer: false,
    forTenant: (tenant, work) => {
      tenants.push(tenant);
      return work();
    },
  };
});
afterAll(() => test_door.close());

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
    const answer = await answerGateway(asked, { ...gateway, issuer: true });
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
