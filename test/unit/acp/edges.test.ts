// The edges of a session: prompts at once, closing and deleting while something runs, cancelling what is not there, answers that come twice
// (protocols 5.1, 11).
import { afterEach, describe, expect, test } from 'vitest';
import { memoryWire, session, TestClient } from '#test/support/acp.ts';
import type { Sent } from '#test/support/acp-schema.ts';
import { changingDoor } from '#test/support/changing-door.ts';
import { OWNER, type TestDoor, testDoor } from '#test/support/door.ts';

const doors: TestDoor[] = [];
afterEach(async () => {
  for (const door of doors.splice(0)) await door.close();
});
const open = async (options: Parameters<typeof testDoor>[0] = {}): Promise<TestDoor> => {
  const at = await testDoor(options);
  doors.push(at);
  return at;
};

/** A door whose work does not end before `release`. */
const held = async () => {
  const gate = Promise.withResolvers<void>();
  const made = await changingDoor({}, gate.promise);
  doors.push(made.at);
  return { ...made, release: gate.resolve };
};

const isQuestion = ({ method }: Sent) => method === 'session/request_permission';

describe('prompts', () => {
  test('50 sessions at once on one connection: each is answered, after all of its own, in order', async () => {
    const at = await open();
    const client = new TestClient(memoryWire(at));
    await client.hello();
    const ids: { sessionId: string; prompt: number }[] = [];
    for (let n = 0; n < 50; n += 1) {
      const sessionId = await client.newSession();
      ids.push({ sessionId, prompt: await client.beginPrompt(sessionId, 'take the turn') });
    }
    for (const { sessionId, prompt } of ids) {
      const answer = await client.answerTo(prompt);
      expect(answer.result).toEqual({ stopReason: 'end_turn' });
      const own = client.sent.filter(({ params }) => params?.sessionId === sessionId);
      const last = own.at(-1);
      expect(client.sent.indexOf(answer)).toBeGreaterThan(
        last === undefined ? Number.POSITIVE_INFINITY : client.sent.indexOf(last),
      );
      const plans = own.filter(({ params }) => params?.update?.sessionUpdate === 'plan');
      const reached = plans.map(
        ({ params }) =>
          params?.update.entries.filter(({ status }: { status: string }) => status === 'completed').length,
      );
      expect(reached).toEqual(reached.toSorted((a, b) => a - b));
    }
    expect((await at.ask('_hca/task/list', { limit: 100 })).tasks).toHaveLength(50);
  }, 60_000);

  test('many for one session: one runs, the others are refused at once, and the next one after it is taken', async () => {
    const { at, release } = await held();
    const { client, sessionId } = await session(at);
    const ids: number[] = [];
    for (let n = 0; n < 10; n += 1) ids.push(await client.beginPrompt(sessionId, 'take the turn'));
    for (const id of ids.slice(1)) expect((await client.answerTo(id)).error?.message).toContain('still running');
    release();
    await client.reply(await client.wire.until(isQuestion), { outcome: { outcome: 'selected', optionId: 'refuse' } });
    expect((await client.answerTo(ids[0] ?? 0)).result).toEqual({ stopReason: 'end_turn' });
    await client.beginPrompt(sessionId, 'take the turn');
    await client.wire.until((frame) => isQuestion(frame) && client.sent.filter(isQuestion).indexOf(frame) === 1);
  });
});

describe('closing', () => {
  test('cancels what runs, and its prompt is still answered; the session can be loaded again', async () => {
    const { at, release } = await held();
    const { client, sessionId } = await session(at);
    const prompt = await client.beginPrompt(sessionId, 'take the turn');
    expect((await client.ask('session/close', { sessionId })).result).toEqual({});
    release();
    expect((await client.answerTo(prompt)).result).toEqual({ stopReason: 'cancelled' });
    expect((await client.ask('session/load', { sessionId, cwd: '/w', mcpServers: [] })).error).toBeUndefined();
  });

  test('an idle one twice is the same, and an unknown one is an error', async () => {
    const { client, sessionId } = await session(await open());
    for (const _ of [1, 2]) expect((await client.ask('session/close', { sessionId })).result).toEqual({});
    expect((await client.ask('session/close', { sessionId: 'nothing' })).error?.code).toBe(-32002);
  });
});

describe('deleting', () => {
  test('while a prompt runs answers it, stops its task, and leaves nothing that could be asked for', async () => {
    const { at, applied, release } = await held();
    const { client, sessionId } = await session(at);
    const prompt = await client.beginPrompt(sessionId, 'take the turn');
    const gone = await client.ask('session/delete', { sessionId });
    expect((await client.answerTo(prompt)).result).toEqual({ stopReason: 'cancelled' });
    expect(gone.result).toEqual({});
    release();
    await at.house.idle();
    await client.wire.quiet();
    expect((await at.ask('_hca/task/list', {})).tasks[0]?.outcome).toBe('cancelled');
    expect(client.sent.filter(({ id, method }) => id === prompt && method === undefined)).toHaveLength(1);
    expect((await client.ask('session/load', { sessionId, cwd: '/w', mcpServers: [] })).error?.code).toBe(-32002);
    expect((await client.prompt(sessionId, 'take the turn')).error?.code).toBe(-32002);
    expect(applied).toEqual([]);
    expect((await client.ask('session/list', {})).result.sessions).toEqual([]);
  });

  test('a question that is open is nobody’s any more', async () => {
    const { at, applied } = await changingDoor();
    doors.push(at);
    const { client, sessionId } = await session(at);
    const prompt = await client.beginPrompt(sessionId, 'take the turn');
    const question = await client.wire.until(isQuestion);
    await client.ask('session/delete', { sessionId });
    expect((await client.answerTo(prompt)).result).toEqual({ stopReason: 'cancelled' });
    await client.reply(question, { outcome: { outcome: 'selected', optionId: 'once' } });
    await client.wire.quiet();
    expect(applied).toEqual([]);
  });
});

describe('cancelling', () => {
  test('nothing, what is over, and what was never asked is silence', async () => {
    const { client, sessionId, prompt } = await session(await open());
    await client.notify('session/cancel', { sessionId });
    await prompt('take the turn');
    const before = client.sent.length;
    await client.notify('session/cancel', { sessionId });
    for (const requestId of [1, 999, 'x', null]) await client.notify('$/cancel_request', { requestId });
    await client.notify('$/cancel_request', {});
    await client.notify('session/cancel', { sessionId: 'nothing' });
    await client.wire.quiet();
    expect(client.sent.length).toBe(before);
    expect((await prompt('take the left')).result).toEqual({ stopReason: 'end_turn' });
  });

  test('a request of another connection is not cancelled by its number', async () => {
    const { at, release } = await held();
    const { client, sessionId } = await session(at);
    const prompt = await client.beginPrompt(sessionId, 'take the turn');
    const other = new TestClient(memoryWire(at));
    await other.hello();
    await other.notify('$/cancel_request', { requestId: prompt });
    release();
    await client.wire.until(isQuestion);
    const [turn] = await at.door.ports.sessions.unfinished(OWNER.tenant, sessionId);
    expect(turn?.cancel).toBeNull();
  });
});

describe('an answer that comes twice', () => {
  test('counts once, and one that was never asked for is nothing', async () => {
    const { at, applied } = await changingDoor();
    doors.push(at);
    const { client, sessionId } = await session(at);
    const id = await client.beginPrompt(sessionId, 'take the turn');
    const question = await client.wire.until(isQuestion);
    await client.reply(question, { outcome: { outcome: 'selected', optionId: 'refuse' } });
    await client.reply(question, { outcome: { outcome: 'selected', optionId: 'always' } });
    await client.wire.send({
      jsonrpc: '2.0',
      id: 'perm_of_nobody',
      result: { outcome: { outcome: 'selected', optionId: 'once' } },
    });
    await client.wire.send({ jsonrpc: '2.0', id: 7000, error: { code: 1, message: 'what?' } });
    expect((await client.answerTo(id)).result).toEqual({ stopReason: 'end_turn' });
    await client.wire.quiet();
    expect(applied).toEqual([]);
    expect(await at.door.ports.sessions.allowed(OWNER, '/w')).toBe(false);
  });

  test('from another connection than the one that was asked is nothing', async () => {
    const { at, applied } = await changingDoor();
    doors.push(at);
    const { client, sessionId } = await session(at);
    await client.beginPrompt(sessionId, 'take the turn');
    const question = await client.wire.until(isQuestion);
    const other = new TestClient(memoryWire(at));
    await other.hello();
    await other.reply(question, { outcome: { outcome: 'selected', optionId: 'once' } });
    await client.wire.quiet();
    expect(applied).toEqual([]);
  });
});
