// Scopes: each method with each scope alone. What the table says is needed lets in, and nothing else does.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dispatch } from '#functions/acp/step.ts';
import { METHODS, type MethodName } from '#shared/contracts/acp.ts';
import { Scope } from '#shared/contracts/acp-host.ts';
import { memoryWire, TestClient } from '#test/support/acp.ts';
import { OWNER, type TestDoor, testDoor } from '#test/support/door.ts';

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

it('without any scope not even hello is answered', async () => {
  const client = new TestClient(memoryWire(at, { ...OWNER, scopes: [] }));
  expect(isDenied(await client.hello())).toBe(true);
});
