// A change and the person's yes to it: asked once with a deadline, written once, by the host or by the editor with its unsaved buffers.
import { afterEach, describe, expect, it } from 'vitest';
import { PATIENCE_MS } from '#functions/acp/session/approve.ts';
import { memoryWire, session, TestClient } from '#test/support/acp.ts';
import type { Sent } from '#test/support/acp-schema.ts';
import { AFTER, BEFORE, changingDoor } from '#test/support/changing-door.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});
const open = async () => {
  const made = await changingDoor();
  closing.push(() => made.at.close());
  return made;
};
const isQuestion = (frame: Sent) => frame.method === 'session/request_permission';
const select = (optionId: string) => ({ outcome: { outcome: 'selected', optionId } });

describe('a change', () => {
  it('is offered with its diff, and written once when the person says once', async () => {
    const { at, applied } = await open();
    const { client, sessionId } = await session(at);
    const prompt = await client.beginPrompt(sessionId, 'take the turn');
    const question = await client.wire.until(isQuestion);
    const content = question.params?.toolCall.content;
    expect(content[0].content.uri).toMatch(/^hca:\/\/artifacts\/.+@1$/);
    expect(content[1]).toEqual({ type: 'diff', path: '/w/sum.js', oldText: BEFORE, newText: AFTER });
    expect(applied).toEqual([]);
    await client.reply(question, select('once'));
    expect(applied).toEqual(['write /w sum.js']);
    expect((await client.answerTo(prompt)).result).toEqual({ stopReason: 'end_turn' });
    await client.reply(question, select('always'));
    await client.beginPrompt(sessionId, 'take the turn');
    await client.wire.until((frame) => isQuestion(frame) && frame.id !== question.id);
    expect(applied).toHaveLength(1);
  });

  it('is written without asking once the person said always, in every session of that folder', async () => {
    const { at, applied } = await open();
    const { client, sessionId } = await session(at);
    const prompt = await client.beginPrompt(sessionId, 'take the turn');
    await client.reply(await client.wire.until(isQuestion), select('always'));
    await client.answerTo(prompt);
    const other = await session(at);
    await other.prompt('take the turn');
    expect(other.client.sent.some(isQuestion)).toBe(false);
    expect(applied).toHaveLength(2);
  });

  it.each([
    [select('refuse'), 'refused'],
    [{ outcome: { outcome: 'cancelled' } }, 'cancelled'],
    [select('made up'), 'refused'],
    ['nonsense', 'refused'],
  ])('is left alone on the answer %j; /apply takes it later', async (result, word) => {
    const { at, applied } = await open();
    const { client, sessionId, prompt } = await session(at);
    const id = await client.beginPrompt(sessionId, 'take the turn');
    await client.reply(await client.wire.until(isQuestion), result);
    expect((await client.answerTo(id)).result).toEqual({ stopReason: 'end_turn' });
    expect(client.updates('tool_call_update').at(-1)?.title).toBe(`Not applied: ${word}`);
    expect(applied).toEqual([]);
    await prompt('/apply');
    expect(applied).toHaveLength(1);
    expect(client.updates('agent_message_chunk').at(-1)?.content.text).toBe('Written to /w: sum.js');
  });

  it('that nobody answers for is refused at the deadline', async () => {
    const { at, applied } = await open();
    const { client, sessionId } = await session(at);
    const id = await client.beginPrompt(sessionId, 'take the turn');
    await client.wire.until(isQuestion);
    const { clock } = at.house.ports;
    const now = clock.now();
    clock.now = () => now + PATIENCE_MS + 1;
    expect((await client.answerTo(id)).result).toEqual({ stopReason: 'end_turn' });
    expect(client.updates('tool_call_update').at(-1)?.title).toBe('Not applied: expired');
    expect(applied).toEqual([]);
  });

  it('follows the session’s option: never asks, or never writes', async () => {
    const { at, applied } = await open();
    const { client, sessionId, prompt } = await session(at);
    await client.ask('session/set_mode', { sessionId, modeId: 'never' });
    await prompt('take the turn');
    expect(applied).toEqual([]);
    await client.ask('session/set_config_option', { sessionId, configId: 'approval', value: 'always' });
    await prompt('take the turn');
    expect(applied).toHaveLength(1);
    expect(client.sent.some(isQuestion)).toBe(false);
  });

  it('is asked about again on a new connection when the first one is gone; /approve answers as well', async () => {
    const { at, applied } = await open();
    const first = memoryWire(at);
    const client = new TestClient(first);
    await client.hello();
    const sessionId = await client.newSession();
    await client.beginPrompt(sessionId, 'take the turn');
    await client.wire.until(isQuestion);
    await first.close();
    const second = new TestClient(memoryWire(at));
    await second.hello();
    const loaded = await second.ask('session/load', { sessionId, cwd: '/w', mcpServers: [] });
    const question = await second.wire.until(isQuestion);
    expect(second.sent.indexOf(question)).toBeGreaterThan(second.sent.indexOf(loaded));
    await second.prompt(sessionId, '/approve once');
    await second.wire.quiet();
    expect(applied).toHaveLength(1);
    expect(second.updates('agent_message_chunk').at(-1)?.content.text).toBe('Written: sum.js');
  });
});

describe('an editor that offers its files', () => {
  const start = async (capabilities: object) => {
    const { at, applied } = await open();
    const { client, sessionId } = await session(at, { fs: capabilities });
    const id = await client.beginPrompt(sessionId, 'take the turn');
    await client.reply(await client.wire.until(isQuestion), select('once'));
    return { client, applied, id };
  };
  const both = { readTextFile: true, writeTextFile: true };

  it('is read first and then writes itself', async () => {
    const { client, applied, id } = await start(both);
    const read = await client.wire.until(({ method }) => method === 'fs/read_text_file');
    expect(read.params?.path).toBe('/w/sum.js');
    await client.reply(read, { content: BEFORE });
    const write = await client.wire.until(({ method }) => method === 'fs/write_text_file');
    expect(write.params).toMatchObject({ path: '/w/sum.js', content: AFTER });
    await client.reply(write, {});
    await client.answerTo(id);
    expect(applied).toEqual([]);
    expect(client.updates('agent_message_chunk').at(-1)?.content.text).toBe('Written: sum.js');
  });

  it('keeps its unsaved buffer: nothing is written over it', async () => {
    const { client, applied, id } = await start(both);
    const read = await client.wire.until(({ method }) => method === 'fs/read_text_file');
    await client.reply(read, { content: 'typed just now' });
    await client.answerTo(id);
    expect(applied).toEqual([]);
    expect(client.sent.some(({ method }) => method === 'fs/write_text_file')).toBe(false);
    expect(client.updates('agent_message_chunk').at(-1)?.content.text).toContain('unsaved changes?');
  });

  it('that can only read leaves writing to the host; one that can do neither is asked nothing', async () => {
    const { client, applied, id } = await start({ readTextFile: true });
    await client.reply(await client.wire.until(({ method }) => method === 'fs/read_text_file'), { content: BEFORE });
    await client.answerTo(id);
    expect(applied).toEqual(['write /w sum.js']);
    const none = await start({});
    await none.client.answerTo(none.id);
    expect(none.client.sent.some(({ method }) => method?.startsWith('fs/'))).toBe(false);
    expect(none.applied).toHaveLength(1);
  });
});
