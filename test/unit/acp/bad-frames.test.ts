// Bad input over ACP: a typed error or silence as the protocol says, never a crash, never another's data.
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bytesOf, fitted, fitting, MOST_BYTES } from '#shared/protocols/acp/fit.ts';
import { memoryWire, session, TestClient } from '#test/support/acp.ts';
import { OWNER, type TestDoor, testDoor } from '#test/support/door.ts';

let at: TestDoor;
beforeAll(async () => {
  at = await testDoor({ started: false });
});
afterAll(() => at.close());

const STRANGER = { ...OWNER, subject: 'stranger' };
const where = { cwd: '/w', mcpServers: [] };

describe('frames', () => {
  it.each([
    ['{', -32700],
    ['[]', -32600],
    ['[{"jsonrpc":"2.0","id":1,"method":"initialize"}]', -32600],
    ['{"id":1}', -32600],
    [`${'{"a":'.repeat(70)}1${'}'.repeat(70)}`, -32600],
    ['{"jsonrpc":"2.0","id":1,"method":"session/new","params":{}}', -32600],
  ])('%s is answered with %i', async (text, code) => {
    const wire = memoryWire(at);
    await wire.send(text);
    expect(wire.sent).toMatchObject([{ error: { code } }]);
  });

  it.each([
    ['session/new', {}, 'cwd'],
    ['session/new', { cwd: 'relative', mcpServers: [] }, 'cwd'],
    ['session/prompt', { sessionId: 's', prompt: [] }, 'prompt'],
    ['session/prompt', { sessionId: 's', prompt: [{ type: 'image', data: '', mimeType: 'a/b' }] }, 'prompt'],
    ['session/set_config_option', { sessionId: 's' }, 'configId'],
    ['initialize', { protocolVersion: 'one' }, 'protocolVersion'],
  ])('%s %j names %s', async (method, params, field) => {
    const client = new TestClient(memoryWire(at));
    await client.hello();
    const { error } = await client.ask(method, params);
    expect(error?.code).toBe(-32602);
    expect(error?.data.field.split('.')[0]).toBe(field);
  });

  it('10,000 made-up frames are survived; the session is as it was', async () => {
    const { client, sessionId } = await session(at);
    const methods = [
      'session/prompt',
      'session/load',
      'session/cancel',
      'session/close',
      'session/set_mode',
      '$/cancel_request',
      'made/up',
      'initialize',
    ];
    const frame = fc.record(
      {
        jsonrpc: fc.constantFrom('2.0', '1.0'),
        id: fc.oneof(fc.integer(), fc.string({ maxLength: 5 }), fc.constant(null)),
        method: fc.constantFrom(...methods),
        params: fc.oneof(
          fc.json(),
          fc.record({ sessionId: fc.constantFrom('x', ''), prompt: fc.anything({ maxDepth: 2 }) }),
        ),
        result: fc.anything({ maxDepth: 1 }),
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(fc.oneof({ weight: 5, arbitrary: frame.map(textOf) }, fc.string()), async (text) => {
        await memoryWire(at)
          .send(text)
          .catch((error: unknown) => {
            // Answers of made-up ids have no schema to be held against.
            if (!String(error).includes('no schema')) throw error;
          });
      }),
      { numRuns: 10_000 },
    );
    expect((await client.prompt(sessionId, '/status')).result).toEqual({ stopReason: 'end_turn' });
  }, 60_000);
});

const textOf = (value: unknown): string =>
  JSON.stringify(value, (_key, inner) => (typeof inner === 'bigint' ? 0 : inner)) ?? '';

describe('what is not yours', () => {
  it('does not exist: another’s session can be neither seen nor touched', async () => {
    const { client, sessionId } = await session(at);
    const other = new TestClient(memoryWire(at, STRANGER));
    await other.hello();
    for (const method of ['session/load', 'session/resume', 'session/close']) {
      expect((await other.ask(method, { sessionId, ...where })).error?.code, method).toBe(-32002);
    }
    expect((await other.prompt(sessionId, 'take the turn')).error?.code).toBe(-32002);
    expect((await other.ask('session/list', {})).result.sessions).toEqual([]);
    expect((await other.ask('session/delete', { sessionId })).result).toEqual({});
    expect((await client.prompt(sessionId, '/status')).result).toEqual({ stopReason: 'end_turn' });
  });

  it('a token that may only read neither opens nor prompts', async () => {
    const { sessionId } = await session(at);
    const reader = new TestClient(memoryWire(at, { ...OWNER, scopes: ['read'] }));
    await reader.hello();
    expect((await reader.ask('session/load', { sessionId, ...where })).error).toBeUndefined();
    expect((await reader.ask('session/new', where)).error?.code).toBe(-32003);
    expect((await reader.prompt(sessionId, 'take the turn')).error?.code).toBe(-32003);
  });
});

describe('one prompt at a time', () => {
  it('refuses a second one while one runs, takes commands, and stops with $/cancel_request', async () => {
    const { client, sessionId } = await session(at);
    const first = await client.beginPrompt(sessionId, 'take the turn');
    expect((await client.prompt(sessionId, 'take the left')).error?.message).toContain('still running');
    await client.prompt(sessionId, '/status');
    expect(client.updates('agent_message_chunk').at(-1)?.content.text).toContain('submitted');
    await client.notify('$/cancel_request', { requestId: first });
    at.house.start();
    expect((await client.answerTo(first)).error?.code).toBe(-32800);
    await client.notify('session/cancel', { sessionId });
    expect((await client.prompt(sessionId, 'take the left')).result).toEqual({ stopReason: 'end_turn' });
  });
});

describe('32 KB', () => {
  it('long text is split without losing a character; raw values are shortened', () => {
    void fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 0, maxLength: 20_000 }), (text) => {
        const frames = fitting('s', { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } });
        const pieces = frames.map(
          (frame) => (frame as { params: { update: { content: { text: string } } } }).params.update.content.text,
        );
        expect(pieces.join('')).toBe(text);
        for (const frame of frames) expect(bytesOf(frame)).toBeLessThanOrEqual(MOST_BYTES);
      }),
      { numRuns: 50 },
    );
    const criteria = Array.from({ length: 64 }, (_, n) => ({ criterion: `c${n}`, reason: 'ü'.repeat(1000) }));
    const [frame] = fitting('s', {
      sessionUpdate: 'tool_call_update',
      toolCallId: 'x',
      status: 'failed',
      rawOutput: { criteria },
    });
    expect(bytesOf(frame)).toBeLessThanOrEqual(MOST_BYTES);
    expect(JSON.stringify(frame)).toContain('c63');
    const huge = fitted({
      params: { update: { rawOutput: { list: Array.from({ length: 20_000 }, () => 1) }, toolCallId: 'x' } },
    });
    expect(huge).toEqual({ params: { update: { toolCallId: 'x' } } });
  });
});
