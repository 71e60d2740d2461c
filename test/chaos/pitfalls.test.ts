// Complaints about other systems that no other file names: endless loops, histories full of content, concurrency that was never tested.
import { expect, it } from 'vitest';
import { perform } from '#functions/perform.ts';
import { callStep, historyOf, recordMessages, tasksBelow, turns } from '#test/support/chaos/acts.ts';
import { bench, fine } from '#test/support/chaos/bench.ts';
import { ROOT_GOAL } from '#test/support/chaos/goals.ts';
import { openChaosHouse } from '#test/support/chaos/house.ts';
import type { Hook } from '#test/support/chaos/intercept.ts';
import { submit, TENANT, taskOf } from '#test/support/submit.ts';

const { open } = bench();

it('pitfall 1: a leaf that gets nowhere stops by itself, with its attempts and what it made', async () => {
  const house = await open({ found: () => 'not yet' });
  const root = await submit(house, { goal: ROOT_GOAL, to: 'turner', retries: 30, budget: { attempts: 30 } });
  await house.idle();
  const { state, escalation, attempts } = await taskOf(house, root);
  expect(state).toBe('escalated');
  expect(attempts.length).toBeGreaterThan(1);
  expect(attempts.length).toBeLessThanOrEqual(30);
  expect(escalation?.artifact).not.toBeNull();
  expect(escalation?.attempts).toHaveLength(attempts.length);
  await fine(house, root);
});

it('pitfall 27: no history holds a goal, a verdict or an artifact; an event stays small', async () => {
  const house = await open();
  const root = await submit(house, { goal: ROOT_GOAL });
  await house.idle();
  const names = (await tasksBelow(house, root)).map(({ id }) => `${id}-1`);
  for (const name of names) {
    const events = historyOf(house, name).map((event) => JSON.stringify(event));
    expect(events.length).toBeGreaterThan(20);
    expect(events.filter((event) => event.includes(ROOT_GOAL) || event.includes('criteria'))).toEqual([]);
    expect(Math.max(...events.map(({ length }) => length))).toBeLessThan(4096);
  }
});

it('pitfall 23: an output that is too large is refused before anything is saved', async () => {
  const house = await openChaosHouse();
  const root = await submit(house, { goal: ROOT_GOAL });
  const before = await taskOf(house, root);
  const large = perform(
    'plan',
    async (_input, record) => ({
      record,
      entry: { text: '', data: {} },
      output: { word: 'coordinator', deadline: 1, wave: ['x'.repeat(40_000)] },
    }),
    house.ports,
  );
  const call = large({ tenant: TENANT, record: root, execution: `${root}-1`, tick: 1 });
  await expect(call).rejects.toMatchObject({ code: 'HcaTooLarge', retryable: false });
  expect(await taskOf(house, root)).toEqual(before);
  await house.close();
});

it('pitfall 33: the turns of one invocation say each thing once', async () => {
  const { hook, said } = recordMessages();
  const house = await open({ hooks: [hook] });
  await submit(house, { goal: ROOT_GOAL });
  await house.idle();
  const ids = said.flatMap(({ method, id }) => (method === 'hca/knowledge/contribute' ? [id] : []));
  expect(ids.length).toBeGreaterThanOrEqual(3);
  expect(new Set(ids).size).toBe(ids.length);
});

it('pitfall 36: eight invocations of one step at the same time decide once, and they did run at the same time', async () => {
  let inside = 0;
  let most = 0;
  const slow: Hook = async (call) => {
    if (call.name !== 'tasks.load') return call.run();
    inside += 1;
    most = Math.max(most, inside);
    const result = await call.run();
    await turns(3);
    inside -= 1;
    return result;
  };
  const house = await openChaosHouse({ hooks: [slow] });
  const root = await submit(house, { goal: ROOT_GOAL, to: 'works' });
  const template = await taskOf(house, root);
  await house.ports.tasks.save({ ...template, state: 'agreed', version: 1 }, 0);
  const payload = { tenant: TENANT, record: root, execution: `${root}-1`, tick: 1 };
  const all = await Promise.allSettled(Array.from({ length: 8 }, () => callStep(house, 'plan', payload)));
  const codes = all.map((one) => (one.status === 'fulfilled' ? 'done' : (one.reason as { code: string }).code));
  expect(most).toBe(8);
  expect(codes).toContain('done');
  expect(codes.filter((code) => code !== 'done' && code !== 'HcaConflict')).toEqual([]);
  expect(house.witness.twice).toEqual([]);
  expect((await taskOf(house, root)).plan?.waves.flat()).toHaveLength(1);
  await house.close();
});
