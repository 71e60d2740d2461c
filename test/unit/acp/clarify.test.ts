// A goal that cannot be planned as it is worded is asked about: in a form where the client has one, else by a message that ends the turn; nobody
// answering is a no, and nothing was started (protocols 5.1, elicitation; requirements section 6).
import { afterEach, describe, expect, test } from 'vitest';
import { pump } from '#functions/acp/step.ts';
import type { HarnessPackage } from '#shared/contracts/profile.ts';
import { memoryWire, session, TestClient } from '#test/support/acp.ts';
import { OWNER, type TestDoor, testDoor } from '#test/support/door.ts';
import { noOpHarness } from '#test/support/no-op-house.ts';

const ASKING = {
  ...noOpHarness,
  profile: { ...noOpHarness.profile, clarification: { posture: 'ask' as const, questions: 2 } },
};
const FORM = { elicitation: { form: {} } };
const doors: TestDoor[] = [];
afterEach(async () => {
  for (const door of doors.splice(0)) await door.close();
});

/** A house that plans whatever names the turn, and asks about everything else. */
const open = async (capabilities: object, packages: HarnessPackage[] = [ASKING]) => {
  const at = await testDoor({ packages });
  doors.push(at);
  const { preview } = at.door;
  at.door.preview = async (tenant, asked) => {
    const plan = await preview(tenant, asked);
    const isClear = asked.goal.includes('turn') || asked.criteria.length > 0;
    return isClear ? plan : { ...plan, ok: false, reason: `nobody knows what "${asked.goal}" means` };
  };
  const tasks = async () => (await at.ask('_hca/task/list', {})).tasks.map(({ goal }) => goal);
  return { at, tasks, ...(await session(at, capabilities)) };
};

const question = (client: TestClient, nth = 1) =>
  client.wire.until((frame) => frame.method === 'elicitation/create' && String(frame.id).endsWith(`_${nth}`));

const said = (client: TestClient) => client.updates('agent_message_chunk').map(({ content }) => content.text);

describe('a goal that is not clear', () => {
  test('is asked about in a form, and the new wording is the task', async () => {
    const { client, sessionId, tasks } = await open(FORM);
    const id = await client.beginPrompt(sessionId, 'make it nice');
    const asked = await question(client);
    expect(asked.params).toMatchObject({ mode: 'form', sessionId });
    expect(asked.params?.message).toContain('nobody knows what "make it nice" means');
    expect(asked.params?.requestedSchema.properties.goal.default).toBe('make it nice');
    expect(await tasks()).toEqual([]);
    await client.reply(asked, { action: 'accept', content: { goal: 'take the turn', command: ' ' } });
    expect((await client.answerTo(id)).result).toEqual({ stopReason: 'end_turn' });
    expect(await tasks()).toEqual(['take the turn']);
    expect(client.updates('user_message_chunk').map(({ content }) => content.text)).toEqual(['take the turn']);
  });

  test('a command that must pass makes it clear as well, and is a criterion of the task', async () => {
    const { client, sessionId, tasks, at } = await open(FORM);
    const id = await client.beginPrompt(sessionId, 'make it nice');
    await client.reply(await question(client), {
      action: 'accept',
      content: { goal: 'make it nice', command: 'npm run nice' },
    });
    await client.answerTo(id);
    expect(await tasks()).toEqual(['make it nice']);
    const view = await at.ask('_hca/task/get', { task: 'last' });
    const record = await at.door.ports.tasks.load(OWNER.tenant, view.task);
    expect(record?.kind === 'task' && record.spec.criteria[0]?.check).toMatchObject({ command: 'npm run nice' });
  });

  test('is asked about twice at most, then a message ends the turn', async () => {
    const { client, sessionId, tasks } = await open(FORM);
    const id = await client.beginPrompt(sessionId, 'make it nice');
    for (const [nth, goal] of ['nicer', 'nicest'].entries()) {
      await client.reply(await question(client, nth + 1), { action: 'accept', content: { goal } });
    }
    expect((await client.answerTo(id)).result).toEqual({ stopReason: 'end_turn' });
    expect(said(client).at(-1)).toContain('nobody knows what "nicest" means');
    expect(await tasks()).toEqual([]);
  });

  test.each([
    ['declined', { action: 'decline' }],
    ['cancelled', { action: 'cancel' }],
    ['answered with something else', { action: 'accept', content: { goal: 7 } }],
  ])('that is %s starts nothing', async (_, answer) => {
    const { client, sessionId, tasks } = await open(FORM);
    const id = await client.beginPrompt(sessionId, 'make it nice');
    const asked = await question(client);
    await client.reply(asked, answer);
    expect((await client.answerTo(id)).result).toEqual({ stopReason: 'end_turn' });
    expect(said(client).at(-1)).toContain('Nothing was started');
    await client.reply(asked, { action: 'accept', content: { goal: 'take the turn' } });
    await client.wire.quiet();
    expect(await tasks()).toEqual([]);
  });

  test('that nobody answers in time is declined', async () => {
    const { client, sessionId, tasks, at } = await open(FORM);
    const id = await client.beginPrompt(sessionId, 'make it nice');
    await question(client);
    const { clock } = at.door.ports;
    const late = { ...clock, now: () => clock.now() + 11 * 60_000 };
    const peer = (client.wire as ReturnType<typeof memoryWire>).peer();
    await pump({ ...peer, door: { ...at.door, ports: { ...at.door.ports, clock: late } } });
    expect((await client.answerTo(id)).result).toEqual({ stopReason: 'end_turn' });
    expect(said(client).at(-1)).toContain('nobody answered in time');
    expect(await tasks()).toEqual([]);
  });

  test('can be cancelled while it is asked about', async () => {
    const { client, sessionId, tasks } = await open(FORM);
    const id = await client.beginPrompt(sessionId, 'make it nice');
    await question(client);
    await client.notify('session/cancel', { sessionId });
    expect((await client.answerTo(id)).result).toEqual({ stopReason: 'cancelled' });
    expect(await tasks()).toEqual([]);
  });

  test.each([
    ['without forms', {}],
    ['with no mode of them', { elicitation: {} }],
    ['with addresses only', { elicitation: { url: {} } }],
  ])('a client %s gets a message that ends the turn, and the next prompt is the answer', async (_, capabilities) => {
    const { client, prompt, tasks } = await open(capabilities);
    expect((await prompt('make it nice')).result).toEqual({ stopReason: 'end_turn' });
    expect(client.sent.some(({ method }) => method === 'elicitation/create')).toBe(false);
    expect(said(client).at(-1)).toContain('Say it again in other words');
    await prompt('take the turn');
    expect(await tasks()).toEqual(['take the turn']);
  });

  test('a house that asks nothing has it rejected with the reason, as a task', async () => {
    const { prompt, tasks } = await open(FORM, [noOpHarness]);
    await prompt('make it nice');
    expect(await tasks()).toEqual(['make it nice']);
  });

  test('a client that comes back takes the question over only if it has forms', async () => {
    const { client, sessionId, at, tasks } = await open(FORM);
    await client.beginPrompt(sessionId, 'make it nice');
    await question(client);
    await (client.wire as ReturnType<typeof memoryWire>).close();
    const back = async (capabilities: object) => {
      const again = new TestClient(memoryWire(at));
      await again.hello(capabilities);
      await again.ask('session/load', { sessionId, cwd: '/w', mcpServers: [] });
      await again.wire.quiet();
      return again;
    };
    const plain = await back({});
    expect(plain.sent.some(({ method }) => method === 'elicitation/create')).toBe(false);
    const able = await back(FORM);
    await able.reply(await question(able), { action: 'accept', content: { goal: 'take the turn' } });
    await able.wire.quiet();
    expect(await tasks()).toEqual(['take the turn']);
  });
});
