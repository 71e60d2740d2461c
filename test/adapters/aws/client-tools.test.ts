// Tools in the cloud: the MCP servers of an editor are found in the turn that began the task, in the table of sessions, and nowhere else.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import dynalite from 'dynalite';
import { expect, onTestFinished, test, vi } from 'vitest';
import { dynamoTurns } from '#shared/adapters/aws/dynamo-turns.ts';
import { clientTools } from '#shared/adapters/aws/ports/client-tools.ts';
import { systemClock } from '#shared/adapters/local/system-clock.ts';
import { ClientServer } from '#shared/contracts/client-server.ts';
import { Policy } from '#shared/contracts/policy.ts';
import { VARIABLES } from '#shared/contracts/storage.ts';
import { context, toolBench } from '../open/tool-bench.ts';
import { rootId, TENANT } from '../suites/samples.ts';
import { turn } from '../suites/session-samples.ts';
import { openRig } from './rig.ts';

/** An editor's MCP server with one tool, which says what it is told. */
const serve = async (): Promise<number> => {
  const server = createServer(async (request, response) => {
    if (request.method !== 'POST') return void response.writeHead(405).end();
    const { id, method, params } = JSON.parse(await text(request));
    if (id === undefined) return void response.writeHead(202).end();
    const capabilities = { tools: {} };
    const results: Record<string, unknown> = {
      initialize: { protocolVersion: '2025-11-25', capabilities, serverInfo: { name: 'theirs', version: '1' } },
      'tools/list': { tools: [{ name: 'echo', inputSchema: { type: 'object' } }] },
      'tools/call': { content: [{ type: 'text', text: `said ${params?.arguments?.word}` }] },
    };
    const answer = method in results ? { result: results[method] } : { error: { code: -32601, message: 'unknown' } };
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
  });
  onTestFinished(() => void server.close(() => undefined).closeAllConnections());
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return (server.address() as AddressInfo).port;
};

/** A table that a client finds by its environment, as in a function. */
const table = async () => {
  const server = dynalite({ createTableMs: 0, deleteTableMs: 0 });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', () => done()));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  for (const name of ['HCA_TEST_ENDPOINT', 'AWS_ENDPOINT_URL_DYNAMODB']) vi.stubEnv(name, url);
  for (const name of ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']) vi.stubEnv(name, 'test');
  vi.stubEnv('AWS_REGION', 'us-east-1');
  const rig = await openRig(['sessions']);
  onTestFinished(async () => {
    await rig.close();
    server.close();
    vi.unstubAllEnvs();
  });
  return rig.table('sessions');
};

test('a task of the session calls what its editor brought, and a task of another one does not', async () => {
  const sessions = await table();
  const url = `http://127.0.0.1:${await serve()}/mcp`;
  const server = ClientServer.parse({ type: 'http', name: 'theirs', url, headers: [] });
  await dynamoTurns(sessions, systemClock()).begin(turn(rootId(2), { servers: [server] }));
  const { sandbox } = await toolBench({});
  const tools = clientTools({ [VARIABLES.table('sessions')]: sessions.name }, sandbox);
  const policy = Policy.parse({
    tools: { allow: ['theirs.*'] },
    side_effects: 'external_write',
    servers: ['theirs'],
    network: { access: 'allow', hosts: ['127.0.0.1'] },
  });
  const call = (task: string) =>
    tools.call(context({ tenant: TENANT, task, policy }), { tool: 'theirs.echo', arguments: { word: 'hello' } });
  expect(await call(rootId(2))).toMatchObject({ status: 'ok', result: { text: 'said hello' } });
  expect((await call(rootId(3))).status).toBe('refused');
  await tools.release('s1');
});
