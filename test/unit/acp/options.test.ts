// What a person chooses in a session reaches the task; what there is only one of is not asked about (protocols 5.1; CONFIG-001 to CONFIG-003).
import { afterEach, describe, expect, test } from 'vitest';
import { session } from '#test/support/acp.ts';
import type { Loose } from '#test/support/acp-schema.ts';
import { OWNER, type TestDoor, testDoor } from '#test/support/door.ts';
import { noOpHarness, noOpHolarchy } from '#test/support/no-op-house.ts';

const OTHER = { ...noOpHarness, name: 'other', title: 'The other one' };
const doors: TestDoor[] = [];
afterEach(async () => {
  for (const door of doors.splice(0)) await door.close();
});

/** A house with two harness packages and two models that policy allows by name. */
const open = async () => {
  const at = await testDoor({ packages: [noOpHarness, OTHER] });
  doors.push(at);
  const policy = { ...noOpHolarchy.policy, models: ['small-1', 'large-1', 'lab-*'] };
  await at.door.ports.holons.load(OWNER.tenant, { ...noOpHolarchy, policy });
  const joined = await session(at);
  const set = async (configId: string, value: string) =>
    joined.client.ask('session/set_config_option', { sessionId: joined.sessionId, configId, value });
  const newest = async () => {
    const [row] = (await at.ask('_hca/task/list', {})).tasks;
    const record = await at.door.ports.tasks.load(OWNER.tenant, row?.task ?? '');
    if (record?.kind !== 'task') throw new Error('there is no task');
    return record;
  };
  return { at, ...joined, set, newest };
};

const valuesOf = (answer: Loose, id: string): string[] | undefined =>
  answer.result.configOptions.find((one: Loose) => one.id === id)?.options.map((one: Loose) => one.value);

describe('options of a session', () => {
  test('harness and model are offered where there are several, by name', async () => {
    const { set } = await open();
    const answer = await set('budget', 'large');
    expect(valuesOf(answer, 'harness')).toEqual(['any', noOpHarness.name, 'other']);
    expect(valuesOf(answer, 'model')).toEqual(['any', 'small-1', 'large-1']);
    expect(valuesOf(answer, 'effort')).toEqual(['quick', 'standard', 'thorough']);
  });

  test('and not where there is one, nor can it be set then', async () => {
    const at = await testDoor();
    doors.push(at);
    const { client, sessionId } = await session(at);
    const answer = await client.ask('session/set_config_option', { sessionId, configId: 'effort', value: 'quick' });
    expect(valuesOf(answer, 'harness')).toBeUndefined();
    expect(valuesOf(answer, 'model')).toBeUndefined();
    const refused = await client.ask('session/set_config_option', {
      sessionId,
      configId: 'harness',
      value: noOpHarness.name,
    });
    expect(refused.error?.code).toBe(-32602);
  });

  test('what was chosen is what the task is made of, in every holon below it', async () => {
    const { set, prompt, newest, at, client } = await open();
    for (const [id, value] of [
      ['harness', 'other'],
      ['model', 'small-1'],
      ['effort', 'quick'],
      ['budget', 'small'],
    ] as const) {
      expect((await set(id, value)).error).toBeUndefined();
    }
    expect(client.updates('config_option_update')).toHaveLength(4);
    await prompt('take the turn');
    const root = await newest();
    expect(root.spec.harness).toBe('other');
    expect(root.constraints).toMatchObject({ retries: 1, policy: { models: ['small-1'] }, budget: { calls: 100 } });
    const below = await at.door.ports.tasks.below(OWNER.tenant, root.id);
    const harnesses = below.flatMap((record) => (record.kind === 'task' ? [record.plan?.harness] : []));
    expect(harnesses.length).toBeGreaterThan(1);
    expect(new Set(harnesses)).toEqual(new Set(['other']));
  });

  test('what is no longer there is as if it had not been chosen', async () => {
    const { set, prompt, newest, at } = await open();
    await set('model', 'small-1');
    await at.door.ports.holons.load(OWNER.tenant, noOpHolarchy);
    expect((await prompt('take the turn')).result).toEqual({ stopReason: 'end_turn' });
    expect((await newest()).constraints.policy.models).toEqual(noOpHolarchy.policy.models);
  });

  test('a value that is not offered is refused, and so is one beside the text', async () => {
    const { set, client, sessionId } = await open();
    expect((await set('model', 'lab-1')).error?.message).toContain('no option model with the value lab-1');
    expect((await set('harness', 'nobody')).error?.code).toBe(-32602);
    const prompt = [{ type: 'text', text: 'take the turn' }];
    const ask = async (task: object) =>
      (await client.ask('session/prompt', { sessionId, prompt, _meta: { hca: { task } } })).error?.message;
    expect(await ask({ model: 'foreign-1' })).toContain('policy does not allow the model "foreign-1"');
    expect(await ask({ harness: 'nobody' })).toContain('there is no harness package "nobody"');
    expect(await ask({ model: 'lab-1' })).toBeUndefined();
  });

  test('the mode is the approval, told as both', async () => {
    const { client, sessionId } = await open();
    await client.ask('session/set_mode', { sessionId, modeId: 'never' });
    await client.wire.quiet();
    expect(client.updates('current_mode_update').at(-1)?.currentModeId).toBe('never');
    const told = client.updates('config_option_update').at(-1)?.configOptions;
    expect(told.find((one: Loose) => one.id === 'approval').currentValue).toBe('never');
  });
});
