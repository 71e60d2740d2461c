// Scopes: each method with each scope alone. What the table says is needed lets in, and nothing else does.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dispatch, receive } from '#functions/acp/step.ts';
import { METHODS, type MethodName } from '#shared/contracts/acp.ts';
import { Scope } from '#shared/contracts/acp-host.ts';
import type { Policy } from '#shared/contracts/policy.ts';
import { readFrame } from '#shared/protocols/acp/frame.ts';
import { memoryWire, TestClient } from '#test/support/acp.ts';
import { OWNER, type TestDoor, testDoor } from '#test/support/door.ts';
import { noOpHolarchy } from '#test/support/no-op-house.ts';

let at: TestDoor;
beforeAll(async () => {
  at = await testDoor();
});
afterAll(() => at.close());

const isDenied = (answer: { error?: { data?: unknown } }): boolean =>
  JSON.stringify(answer.error ?? {}).includes('"field":"scope"');

const METHOD_NAMES = Object.keys(METHODS) as MethodName[];

describe.each(METHOD_NAMES)('%s', (method) => {
  it.each(Scope.options)('with %s alone', async (scope) => {
    const frame = { jsonrpc: '2.0' as const, id: 1, method, params: {} };
    const answer = await dispatch(frame, { ...OWNER, scopes: [scope] }, at.door);
    expect(isDenied(answer as never)).toBe(METHODS[method].scope !== scope);
  });
});

const SESSION_METHODS = [
  ['session/new', 'submit', { cwd: '/w', mcpServers: [] }],
  ['session/load', 'read', { cwd: '/w', mcpServers: [], sessionId: 'x' }],
  ['session/resume', 'read', { cwd: '/w', mcpServers: [], sessionId: 'x' }],
  ['session/list', 'read', {}],
  ['session/prompt', 'submit', { sessionId: 'x', prompt: [{ type: 'text', text: 'x' }] }],
  ['session/close', 'submit', { sessionId: 'x' }],
  ['session/delete', 'submit', { sessionId: 'x' }],
  ['session/set_config_option', 'submit', { sessionId: 'x', configId: 'budget', value: 'small' }],
  ['session/set_mode', 'submit', { sessionId: 'x', modeId: 'never' }],
] as const;

describe.each(SESSION_METHODS)('%s', (method, needed, params) => {
  it.each(Scope.options)('with read to say hello, and %s', async (scope) => {
    const client = new TestClient(memoryWire(at, { ...OWNER, subject: 'somebody', scopes: ['read', scope] }));
    await client.hello();
    expect(isDenied(await client.ask(method, params))).toBe(needed !== 'read' && needed !== scope);
  });
});

describe('two tokens of one person', () => {
  const withScopes = async (...scopes: Scope[]) => {
    const wire = memoryWire(at, { ...OWNER, scopes });
    const client = new TestClient(wire);
    await client.hello();
    return { client, wire };
  };

  it('a prompt does what its own token may, whichever connection moves it on', async () => {
    const strong = await withScopes('read', 'submit', 'approve');
    const sessionId = await strong.client.newSession();
    const weak = await withScopes('read', 'submit');
    const params = { sessionId, prompt: [{ type: 'text', text: '/approve always' }] };
    const frame = JSON.stringify({ jsonrpc: '2.0', id: 77, method: 'session/prompt', params });
    // It is gone before it has looked what became of it.
    await receive(readFrame(frame), weak.wire.peer());
    await weak.wire.close();
    await strong.wire.quiet();
    const kept = await at.door.ports.sessions.session(OWNER, sessionId);
    expect(kept?.options.approval).toBe('ask');
    const looking = await withScopes('read');
    await receive(readFrame(frame), strong.wire.peer());
    await looking.client.ask('session/resume', { sessionId, cwd: '/w', mcpServers: [] });
    await looking.wire.quiet();
    expect((await at.door.ports.sessions.session(OWNER, sessionId))?.options.approval).toBe('always');
  });

  it('who only looks leaves the servers of a session as they are', async () => {
    const server = { type: 'http', name: 'search', url: 'https://mcp.example/x', headers: [] } as const;
    const policy: Policy = {
      ...noOpHolarchy.policy,
      side_effects: 'external_write',
      servers: ['search'],
      network: { access: 'allow', hosts: ['mcp.example'] },
    };
    await at.door.ports.holons.load(OWNER.tenant, { ...noOpHolarchy, policy });
    const { client } = await withScopes('read', 'submit');
    const { sessionId } = (await client.ask('session/new', { cwd: '/w', mcpServers: [server] })).result;
    const looking = await withScopes('read');
    const other = { ...server, url: 'https://mcp.example/other' };
    for (const method of ['session/load', 'session/resume'])
      expect((await looking.client.ask(method, { sessionId, cwd: '/w', mcpServers: [other] })).error).toBeUndefined();
    const kept = await at.door.ports.sessions.session(OWNER, sessionId);
    expect(kept?.servers).toMatchObject([{ url: server.url }]);
  });
});

it('without any scope not even hello is answered', async () => {
  const client = new TestClient(memoryWire(at, { ...OWNER, scopes: [] }));
  expect(isDenied(await client.hello())).toBe(true);
});
