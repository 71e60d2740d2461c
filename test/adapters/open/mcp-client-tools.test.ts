// MCP servers that an ACP client brought: called only by tasks of its session, only where policy names them, through the guard or inside the
// sandbox session, and what their headers and variables hold is in no result (requirements 8; protocols 5, 10).
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { ClientServers } from '#shared/adapters/open/mcp-client-servers.ts';
import { ClientTools } from '#shared/adapters/open/mcp-client-tools.ts';
import { ClientServer } from '#shared/contracts/client-server.ts';
import { Policy } from '#shared/contracts/policy.ts';
import { context, toolBench } from './tool-bench.ts';

const SECRET = 'sesame-open-5571';
const http: Server[] = [];
afterEach(() => {
  for (const server of http.splice(0)) server.closeAllConnections();
});

/** A small MCP server over HTTP: one tool that answers with what it was called with, header included. */
const serve = async (): Promise<{ port: number; methods: string[] }> => {
  const methods: string[] = [];
  const server = createServer(async (request, response) => {
    if (request.method !== 'POST') return void response.writeHead(405).end();
    const { id, method, params } = JSON.parse(await text(request));
    methods.push(method);
    const inputSchema = { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] };
    const tools = [
      { name: 'echo', description: 'says it again', inputSchema },
      { name: 'wipe', inputSchema, annotations: { destructiveHint: true } },
    ];
    const results: Record<string, unknown> = {
      initialize: {
        protocolVersion: '2025-11-25',
        capabilities: { tools: {} },
        serverInfo: { name: 'theirs', version: '1' },
      },
      'tools/list': { tools },
      'tools/call': { content: [{ type: 'text', text: `${params?.arguments?.word} ${request.headers['x-key']}` }] },
    };
    if (id === undefined) return void response.writeHead(202).end();
    const known = results[method];
    const body = known === undefined ? { error: { code: -32601, message: 'no such method' } } : { result: known };
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ jsonrpc: '2.0', id, ...body }));
  });
  http.push(server);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return { port: (server.address() as AddressInfo).port, methods };
};

const policyOf = (more: object = {}) =>
  Policy.parse({
    tools: { allow: ['theirs.*'] },
    side_effects: 'external_write',
    paths: { write: ['**'] },
    servers: ['theirs'],
    network: { access: 'allow', hosts: ['tools.example'] },
    ...more,
  });

const overHttp = async () => {
  const { port, methods } = await serve();
  const bench = await toolBench({});
  const server = ClientServer.parse({
    type: 'http',
    name: 'theirs',
    url: `http://tools.example:${port}/mcp`,
    headers: [{ name: 'x-key', value: SECRET }],
  });
  const connections = new ClientServers(bench.sandbox, {
    resolve: (_, done) => done(null, [{ address: '127.0.0.1', family: 4 }]),
  });
  const tools = new ClientTools(bench.tools, connections, async (_, task) => (task === 'task' ? [server] : []));
  const call = (tool: string, extra: Parameters<typeof context>[0] = {}) =>
    tools.call(context({ policy: policyOf(), ...extra }), { tool, arguments: { word: 'hello' } });
  return { tools, call, methods };
};

describe('over HTTP', () => {
  test('a tool is listed and called, with evidence, and no header’s value comes back', async () => {
    const { tools, call } = await overHttp();
    const listed = await tools.list(context({ policy: policyOf() }));
    expect(listed.map(({ tool, side_effect }) => [tool, side_effect])).toEqual([['theirs.echo', 'external_write']]);
    expect((await tools.discover(context({ policy: policyOf() }), 'say again')).map(({ entry }) => entry.tool)).toEqual(
      ['theirs.echo'],
    );
    const outcome = await call('theirs.echo');
    expect(outcome).toMatchObject({ status: 'ok', result: { text: 'hello [redacted]' }, rule: 'tools.allow:theirs.*' });
    expect(JSON.stringify(outcome)).not.toContain(SECRET);
    await tools.release('s1');
  });

  test('policy is asked before anything is connected', async () => {
    const { call, methods } = await overHttp();
    const rule = async (more: object) => (await call('theirs.echo', { policy: policyOf(more) })).rule;
    expect(await rule({ servers: [] })).toBe('servers');
    expect(await rule({ tools: { allow: ['other.*'] } })).toBe('tools.allow');
    expect(await rule({ side_effects: 'local_write' })).toBe('side_effects:local_write');
    expect(await rule({ network: { access: 'none' } })).toBe('network:none');
    expect(await rule({ network: { access: 'allow', hosts: ['elsewhere.example'] } })).toBe('network.hosts');
    expect((await call('theirs.echo', { lane: 'reviewer' })).rule).toBe('lane:reviewer');
    expect(methods).toEqual([]);
  });

  test('a hint makes a tool’s class stricter', async () => {
    const { call } = await overHttp();
    expect((await call('theirs.wipe')).rule).toBe('side_effects:external_write');
    expect((await call('theirs.wipe', { policy: policyOf({ side_effects: 'destructive' }) })).status).toBe('ok');
  });

  test('a pattern of hosts leads to no private address', async () => {
    const { call, methods } = await overHttp();
    const policy = policyOf({ network: { access: 'allow', hosts: ['*.example'] } });
    await expect(call('theirs.echo', { policy })).rejects.toMatchObject({
      code: 'HcaUnavailable',
      message: expect.stringContaining('not https'),
    });
    expect(methods).toEqual([]);
  });

  test('a task of another session does not have it', async () => {
    const { call, methods } = await overHttp();
    expect((await call('theirs.echo', { task: 'another' })).status).toBe('refused');
    expect(methods).toEqual([]);
  });
});

describe('a program', () => {
  const PROGRAM = `
    process.stdin.setEncoding('utf8');
    let rest = '';
    process.stdin.on('data', (piece) => {
      const lines = (rest + piece).split('\\n');
      rest = lines.pop();
      for (const line of lines.filter(Boolean)) {
        const { id, method, params } = JSON.parse(line);
        const tool = { name: 'where', inputSchema: { type: 'object' } };
        const results = {
          initialize: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'x', version: '1' } },
          'tools/list': { tools: [tool] },
          'tools/call': { content: [{ type: 'text', text: process.cwd() + ' ' + process.env.KEY }] },
        };
        if (id === undefined) continue;
        const body = results[method] ? { result: results[method] } : { error: { code: -32601, message: 'no' } };
        console.log(JSON.stringify({ jsonrpc: '2.0', id, ...body }));
      }
    });`;

  const program = async (command: string) => {
    const bench = await toolBench({});
    const env = [{ name: 'KEY', value: SECRET }];
    const server = ClientServer.parse({ type: 'stdio', name: 'theirs', command, args: ['-e', PROGRAM], env });
    const tools = new ClientTools(bench.tools, new ClientServers(bench.sandbox), async () => [server]);
    const policy = policyOf({ side_effects: 'local_write', network: { access: 'none' } });
    const call = () => tools.call(context({ policy }), { tool: 'theirs.where', arguments: {} });
    return { bench, tools, call, policy };
  };

  test('runs inside the session of the task and ends with it', async () => {
    const { bench, tools, call, policy } = await program(process.execPath);
    expect((await tools.list(context({ policy }))).map(({ tool }) => tool)).toEqual(['theirs.where']);
    const here = await bench.sandbox.run('s1', { command: 'pwd', timeout_ms: 5000, output_bytes: 1000 });
    expect((await call()).result.text).toBe(`${here.stdout.trim()} [redacted]`);
    await tools.release('s1');
    await vi.waitFor(async () => expect((await call()).status).toBe('ok'));
    await tools.release('s1');
  });

  test('that is not there is a fault that names the server and no secret', async () => {
    const { call, tools, policy } = await program('/nowhere/at/all');
    const fault = await call().then(
      () => new Error('it started'),
      (cause: Error) => cause,
    );
    expect(fault.message).toContain('"theirs"');
    expect(fault.message).not.toContain(SECRET);
    expect(await tools.list(context({ policy }))).toEqual([]);
  });
});
