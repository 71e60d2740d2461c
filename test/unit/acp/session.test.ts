// ACP sessions, frame by frame on a house in memory: what a client sees of a task, and that nothing depends on the connection's memory.
import { afterEach, describe, expect, it } from 'vitest';
import { memoryWire, session, TestClient } from '#test/support/acp.ts';
import { type Loose, wrongWith } from '#test/support/acp-schema.ts';
import { type TestDoor, testDoor } from '#test/support/door.ts';

const doors: TestDoor[] = [];
afterEach(async () => {
  for (const door of doors.splice(0)) await door.close();
});
const open = async (options: Parameters<typeof testDoor>[0] = {}): Promise<TestDoor> => {
  const at = await testDoor(options);
  doors.push(at);
  return at;
};

describe('a prompt', () => {
  it('is answered after everything that happened was shown, and nothing follows', async () => {
    const { client, prompt, sessionId } = await session(await open());
    const answer = await prompt('take the turn and take the left');
    await client.wire.quiet();
    expect(answer.result).toEqual({ stopReason: 'end_turn' });
    expect(client.sent.at(-1)).toBe(answer);
    const updates = client.sent.filter(({ method }) => method === 'session/update');
    expect(updates.every(({ params }) => params?.sessionId === sessionId)).toBe(true);
    const plans = client
      .updates('plan')
      .map(({ entries }) => entries.map((entry: Loose) => `${entry.content} ${entry.status}`).join(', '));
    expect(plans[0]).toBe('PLAN in_progress, WORK pending, REVIEW pending, COMPOUND pending');
    expect(plans.at(-1)).toBe('PLAN completed, WORK completed, REVIEW completed, COMPOUND completed');
    expect(client.updates('session_info_update')[0]?.title).toBe('take the turn and take the left');
    expect(client.updates('usage_update')[0]).toMatchObject({ size: 200_000, cost: { currency: 'USD' } });
  });

  it('shows delegations, tools and reviews as calls that all end, nested ones under their parent', async () => {
    const { client, prompt } = await session(await open());
    await prompt('take the turn and take the left');
    const calls = client.updates('tool_call');
    const ended = new Map(client.updates('tool_call_update').map(({ toolCallId, status }) => [toolCallId, status]));
    for (const { toolCallId, status } of calls) expect(ended.get(toolCallId) ?? status, toolCallId).toBe('completed');
    const known = new Set(calls.map(({ toolCallId }) => toolCallId));
    const nested = calls.filter(({ _meta }) => _meta.hca.parent !== undefined);
    expect(nested.length).toBeGreaterThan(4);
    for (const { _meta } of nested) expect(known.has(_meta.hca.parent)).toBe(true);
    expect(new Set(nested.map(({ _meta }) => _meta.hca.parent)).size).toBe(3);
    const verdict = client.updates('tool_call_update').find(({ rawOutput }) => rawOutput?.result === 'pass');
    expect(verdict?.rawOutput.criteria[0]).toMatchObject({ criterion: 'done', result: 'met' });
  });

  it('goes up with a warning, and the revisions show in the plan', async () => {
    const { client, prompt } = await session(await open({ read: () => 'never' }));
    expect((await prompt('take the turn')).result).toEqual({ stopReason: 'end_turn' });
    expect(client.updates('notice')[0]).toMatchObject({ severity: 'warning', title: 'The task was escalated' });
    expect(client.updates('agent_message_chunk').at(-1)?.content.text).toContain('Escalated');
  });

  it('that cannot be submitted is an error with the remedy, and the session goes on', async () => {
    const at = await open();
    const client = new TestClient(memoryWire(at));
    await client.hello();
    const sessionId = await client.newSession('/missing');
    expect((await client.prompt(sessionId, 'take the turn')).error).toMatchObject({
      code: -32602,
      message: '/missing does not exist (give a folder)',
    });
    expect((await client.prompt(sessionId, '/status')).result).toEqual({ stopReason: 'end_turn' });
  });

  it('takes terms beside the text', async () => {
    const { client, sessionId } = await session(await open({ read: () => 'never' }));
    const task = { goal: 'take the left', retries: 1, budget: 'calls=50' };
    const params = { sessionId, prompt: [{ type: 'text', text: 'something else' }], _meta: { hca: { task } } };
    await client.ask('session/prompt', params);
    const said = client.updates('agent_message_chunk').at(-1)?.content.text;
    expect(said).toContain('attempts_spent');
    expect(client.updates('usage_update')[0]?._meta.hca.budget.calls).toBe(50);
  });
});

describe('what is no task', () => {
  it.each(['what can you do?', 'hello', 'Who are you?', 'help!'])(
    '%s: a useful answer without a task',
    async (text) => {
      const at = await open();
      at.door.preview = async () => ({
        ok: false,
        reason: 'no',
        family: null,
        clauses: [],
        uncovered: [text],
        criteria: [],
        route: [],
        alternatives: [],
        estimate: null,
      });
      const { client, prompt } = await session(at);
      expect((await prompt(text)).result).toEqual({ stopReason: 'end_turn' });
      expect(client.updates('agent_message_chunk')[0]?.content.text).toContain('takes the turn: "take the turn"');
      expect((await at.ask('_hca/task/list', {})).tasks).toEqual([]);
    },
  );

  it('a task that is put as a question is a task', async () => {
    const at = await open();
    const { prompt } = await session(at);
    await prompt('can you take the turn?');
    expect((await at.ask('_hca/task/list', {})).tasks).toHaveLength(1);
  });
});

describe('also', () => {
  it.each(['also take the left', 'and then take the left', 'Please also, take the left'])(
    '%s: goes on from the last result',
    async (text) => {
      const at = await open();
      const { client, prompt } = await session(at);
      await prompt('take the turn');
      await prompt(text);
      const [second, first] = (await at.ask('_hca/task/list', {})).tasks;
      const view = await at.ask('_hca/task/get', { task: second?.task ?? '' });
      expect(view).toMatchObject({ goal: 'take the left', continues: first?.task });
      const record = await at.house.ports.tasks.load('local', view.task);
      const before = await at.house.ports.tasks.load('local', first?.task ?? '');
      expect(record?.kind === 'task' && record.spec.start_from).toEqual(before?.kind === 'task' && before.artifact);
      expect(client.updates('agent_thought_chunk').some(({ content }) => content.text.includes(first?.task))).toBe(
        true,
      );
    },
  );
});

describe('the check of our own messages', () => {
  it('sees a stray key, a missing one and an unknown update', () => {
    const good = {
      jsonrpc: '2.0',
      method: 'session/update',
      params: { sessionId: 's', update: { sessionUpdate: 'plan', entries: [] } },
    };
    expect(wrongWith(good)).toBe('');
    expect(wrongWith({ ...good, extra: 1 } as Loose)).not.toBe('');
    expect(wrongWith({ ...good, params: { ...good.params, more: 1 } })).not.toBe('');
    expect(wrongWith({ ...good, params: { update: good.params.update } })).not.toBe('');
    expect(wrongWith({ ...good, params: { sessionId: 's', update: { sessionUpdate: 'made_up' } } })).not.toBe('');
    expect(wrongWith({ jsonrpc: '2.0', id: 1, result: { stopReason: 'tired' } }, 'session/prompt')).not.toBe('');
  });
});
