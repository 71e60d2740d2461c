// A task whose Compound failed for good ends all the same; sweep contributes what it owes, once, whatever falls in between (L3-KBC-01).
import { describe, expect, it } from 'vitest';
import { ALL_STEPS } from '#functions/all.ts';
import { perform } from '#functions/perform.ts';
import type { AnyRecord } from '#shared/contracts/task.ts';
import { toEnd } from '#test/support/chaos/acts.ts';
import { bench, fine, killing, unavailable } from '#test/support/chaos/bench.ts';
import { journalOf } from '#test/support/chaos/final-state.ts';
import type { ChaosHouse } from '#test/support/chaos/house.ts';
import { type Hook, intercepted, WRITES } from '#test/support/chaos/intercept.ts';
import { submit, TENANT, taskOf } from '#test/support/submit.ts';

const { open, houses } = bench();

/** The call and its six retries: then the machine goes on to Finish. */
const TRIES = 7;

const LOOK = { tenant: '', machine: null, execution: null, status: null };

/** The minute schedule, once, its calls through the hook. */
const sweep = (house: ChaosHouse, hook: Hook = (call) => call.run()): Promise<unknown> =>
  perform('sweep', ALL_STEPS.sweep, intercepted(house.ports, hook))(LOOK);

/** A house with one task that is over and owes its lesson. */
const owing = async (): Promise<{ house: ChaosHouse; root: string }> => {
  let [tries, isAccepted] = [0, false];
  const hook: Hook = async (call) => {
    if (call.name === 'tasks.save' && (call.args[0] as AnyRecord).last?.step === 'accept') isAccepted = true;
    if (call.name !== 'holons.get' || !isAccepted || tries === TRIES) return call.run();
    tries += 1;
    return unavailable();
  };
  const house = await open({ hooks: [hook] });
  const root = await submit(house, { goal: 'take the turn', to: 'turner' });
  await toEnd(house);
  expect(tries).toBe(TRIES);
  expect(await taskOf(house, root)).toMatchObject({ state: 'completed', lesson: null, lesson_pending: true });
  return { house, root };
};

const paid = async (house: ChaosHouse, root: string): Promise<void> => {
  await house.idle();
  const id = `lesson-${root}`;
  expect(await taskOf(house, root)).toMatchObject({ state: 'completed', lesson: id, lesson_pending: false });
  const versions = await house.ports.lessons.versions(TENANT, id);
  expect(versions.map(({ version, type }) => [version, type])).toEqual([[1, 'pattern']]);
  const owed = (await journalOf(house, root)).filter(({ text }) => text.startsWith('owed: lesson (pattern)'));
  expect(owed.map(({ step, data, told }) => [step, data.lesson, told.length])).toEqual([['sweep', id, 1]]);
  expect((await house.ports.tasks.unattended()).map((one) => one.id)).not.toContain(root);
  await fine(house, root);
};

describe('a lesson that is owed', () => {
  it('is contributed by the next sweep, once, and the task fills nobody’s capacity meanwhile', async () => {
    const { house, root } = await owing();
    expect(await house.ports.lessons.get(TENANT, `lesson-${root}`)).toBeUndefined();
    expect(await house.ports.tasks.openOf(TENANT, 'turner')).toBe(0);
    expect(await house.ports.tasks.roots(TENANT, { limit: 9, open: true })).toEqual([]);
    await sweep(house);
    await paid(house, root);
    await sweep(house);
    await paid(house, root);
  });

  it('is contributed once when two sweeps look at the same moment', async () => {
    const { house, root } = await owing();
    await Promise.allSettled([sweep(house), sweep(house)]);
    await sweep(house);
    await paid(house, root);
  });

  it.each(['before', 'after'])('is contributed once when sweep is cut off %s any of its writes', async (when) => {
    const writes = await writesOfSweep();
    expect(writes).toBeGreaterThan(4);
    for (let n = 1; n <= writes; n += 1) {
      const { house, root } = await owing();
      await expect(sweep(house, cutting(when, n)), `write ${n}`).rejects.toThrow('a test says so');
      await sweep(house);
      await paid(house, root);
    }
  });
});

/** Refuses the n-th write, before it is done or after. */
const cutting = (when: string, n: number): Hook => {
  let seen = 0;
  return async (call) => {
    if (WRITES.has(call.name)) seen += 1;
    if (!WRITES.has(call.name) || seen !== n) return call.run();
    if (when === 'after') await call.run();
    return unavailable();
  };
};

/** How many writes an undisturbed sweep of one owed lesson does. */
const writesOfSweep = async (): Promise<number> => {
  const { house } = await owing();
  let writes = 0;
  await sweep(house, async (call) => {
    if (WRITES.has(call.name)) writes += 1;
    return call.run();
  });
  return writes;
};

it('a task whose machine was lost leaves what it found out', async () => {
  const house = await open({ hooks: [killing(houses, { holon: 'turner', step: 'work', from: 2 })] });
  const root = await submit(house, { goal: 'take the turn', to: 'turner' });
  await toEnd(house);
  const lost = await taskOf(house, root);
  expect(lost).toMatchObject({ state: 'escalated', escalation: { reason: 'lost' }, lesson_pending: false });
  const lesson = await house.ports.lessons.get(TENANT, lost.lesson ?? '');
  expect(lesson).toMatchObject({ type: 'antipattern', advice: expect.stringContaining('lost'), trust: 'provisional' });
  expect(lesson?.alternatives.against.length).toBeGreaterThan(0);
  await fine(house, root);
});
