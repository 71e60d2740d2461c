// What a person types that is no plain goal: more of the same, questions about hca, and commands, in the words people use (protocols 5.1).
import { afterEach, describe, expect, test } from 'vitest';
import { continuationOf } from '#functions/acp/session/submit-goal.ts';
import { memoryWire, session, TestClient } from '#test/support/acp.ts';
import type { Sent } from '#test/support/acp-schema.ts';
import { changingDoor } from '#test/support/changing-door.ts';
import { OWNER, type TestDoor, testDoor } from '#test/support/door.ts';

const doors: TestDoor[] = [];
afterEach(async () => {
  for (const door of doors.splice(0)) await door.close();
});
const open = async (): Promise<TestDoor> => {
  const at = await testDoor();
  doors.push(at);
  return at;
};

describe('more of the same', () => {
  test.each([
    ['also fix the types', 'fix the types'],
    ['Also: fix the types', 'fix the types'],
    ['and also, please fix the types', 'fix the types'],
    ['then fix the types', 'fix the types'],
    ['but also fix the types', 'fix the types'],
    ['now also fix the types', 'fix the types'],
    ['After that, fix the types', 'fix the types'],
    ['next, fix the types', 'fix the types'],
    ['Oh, one more: fix the types', 'one more: fix the types'],
    ['plus: also fix the types', 'fix the types'],
    ['fix the types too', 'fix the types'],
    ['please fix the types as well!', 'fix the types'],
    ['also\nfix the types\nand the tests', 'fix the types\nand the tests'],
  ])('%j goes on', (text, rest) => expect(continuationOf(text)).toBe(rest));

  test.each([
    'fix the types',
    'next build passes',
    'plus signs are escaped',
    'alsoran is renamed',
    'now the tests pass',
    'also',
    'too',
    '',
  ])('%j stands for itself', (text) => expect(continuationOf(text)).toBeUndefined());
});

describe('questions about hca', () => {
  test.each([
    'What can you do for me?',
    'what are you able to do',
    'Tell me what you can do',
    'please list your commands',
    'introduce yourself',
    'HELP',
    'thanks!',
  ])('%j is answered without a task', async (text) => {
    const at = await open();
    const { preview } = at.door;
    at.door.preview = async (tenant, asked) => ({ ...(await preview(tenant, asked)), ok: false });
    const { client, prompt } = await session(at);
    expect((await prompt(text)).result).toEqual({ stopReason: 'end_turn' });
    const said = client.updates('agent_message_chunk').map(({ content }) => content.text);
    expect(said.join('')).toContain('takes the turn: "take the turn"');
    expect(said.join('')).toContain('/status');
    expect((await at.ask('_hca/task/list', {})).tasks).toEqual([]);
  });
});

describe('commands', () => {
  const saidTo = async (client: TestClient, sessionId: string, text: string): Promise<string> => {
    const before = client.updates('agent_message_chunk').length;
    const answer = await client.prompt(sessionId, text);
    if (answer.error !== undefined) return answer.error.message;
    return client
      .updates('agent_message_chunk')
      .slice(before)
      .map(({ content }) => content.text)
      .join('');
  };

  test('say so when there is nothing to act on, and an unknown one names those there are', async () => {
    const { client, sessionId } = await session(await open());
    for (const text of ['/status', '/apply', '/artifacts', '  /status  ']) {
      expect(await saidTo(client, sessionId, text), text).toContain('no task yet');
    }
    expect(await saidTo(client, sessionId, '/cancel')).toBe('Nothing is running.');
    expect(await saidTo(client, sessionId, '/approve')).toBe('No question is open.');
    expect(await saidTo(client, sessionId, '/approve maybe')).toContain('once, always or no');
    expect(await saidTo(client, sessionId, '/deploy now')).toContain('/status, /apply');
    expect(await saidTo(client, sessionId, '/lessons tests')).toContain('Nothing was learned');
  });

  const isQuestion = ({ method }: Sent) => method === 'session/request_permission';

  test('an "always" is taken back by /approve ask, in every session of the folder', async () => {
    const { at, applied } = await changingDoor();
    doors.push(at);
    const { client, sessionId, prompt } = await session(at);
    const id = await client.beginPrompt(sessionId, 'take the turn');
    await client.reply(await client.wire.until(isQuestion), { outcome: { outcome: 'selected', optionId: 'always' } });
    await client.answerTo(id);
    await prompt('take the turn');
    expect(applied).toHaveLength(2);
    const other = await session(at);
    expect(await saidTo(other.client, other.sessionId, '/approve ask')).toContain('you are asked');
    const asked = client.sent.filter(isQuestion).length;
    await client.beginPrompt(sessionId, 'take the turn');
    await client.wire.until((frame) => isQuestion(frame) && client.sent.filter(isQuestion).indexOf(frame) === asked);
    expect(applied).toHaveLength(2);
  });

  test('/approve always and never are the option, told as such', async () => {
    const { at, applied } = await changingDoor();
    doors.push(at);
    const { client, sessionId, prompt } = await session(at);
    await saidTo(client, sessionId, '/approve always');
    expect(client.updates('current_mode_update').at(-1)?.currentModeId).toBe('always');
    await prompt('take the turn');
    expect(applied).toHaveLength(1);
    await saidTo(client, sessionId, '/approve never');
    await prompt('take the turn');
    expect(applied).toHaveLength(1);
    expect(client.sent.some(isQuestion)).toBe(false);
  });

  test('who may not approve can neither answer, nor apply, nor say always', async () => {
    const { at, applied } = await changingDoor();
    doors.push(at);
    const client = new TestClient(memoryWire(at, { ...OWNER, scopes: ['read', 'submit'] }));
    await client.hello();
    const sessionId = await client.newSession();
    await client.beginPrompt(sessionId, 'take the turn');
    await client.wire.until(isQuestion);
    for (const text of ['/approve once', '/approve always', '/apply']) {
      expect(await saidTo(client, sessionId, text), text).toContain('needs the scope approve');
    }
    const mode = await client.ask('session/set_mode', { sessionId, modeId: 'always' });
    expect(mode.error?.message).toContain('needs the scope approve');
    await client.wire.quiet();
    expect(applied).toEqual([]);
  });
});
