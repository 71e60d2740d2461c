// Cancel at every boundary reaches everything below (pitfalls 11, 12 and 14; architecture section 3, Cancel).
import { afterEach, describe, expect, it } from 'vitest';
import type { Message } from '#shared/contracts/messages.ts';
import { callStep, cancel, cancelOf, gate, once, recordMessages, tasksBelow, turns } from '#test/support/chaos/acts.ts';
import { broken } from '#test/support/chaos/final-state.ts';
import { PAIR_GOAL, ROOT_GOAL } from '#test/support/chaos/goals.ts';
import { costly, rivals } from '#test/support/chaos/holarchies.ts';
import { type ChaosHouse, type ChaosOptions, openChaosHouse } from '#test/support/chaos/house.ts';
import { type Hook, WRITES } from '#test/support/chaos/intercept.ts';
import { submit, TENANT, taskOf } from '#test/support/submit.ts';

const houses: ChaosHouse[] = [];
afterEach(async () => {
  for (const house of houses.splice(0)) await house.close();
});

const open = async (options: ChaosOptions = {}): Promise<ChaosHouse> => {
  const house = await openChaosHouse(options);
  houses.push(house);
  return house;
};

const TERMINAL = ['cancelled', 'completed', 'escalated', 'rejected'];

/** Everything below ended, nothing runs, and no mark was overlooked. */
const allOver = async (house: ChaosHouse, root: string, what: string): Promise<void> => {
  const tasks = await tasksBelow(house, root);
  expect(
    tasks.filter(({ state }) => !TERMINAL.includes(state)).map(({ id, state }) => `${id} ${state}`),
    what,
  ).toEqual([]);
  expect(await broken(house, root), what).toEqual([]);
  expect(house.witness.illegal, what).toEqual([]);
  expect(house.witness.twice, what).toEqual([]);
};

interface Run {
  house: ChaosHouse;
  root: string;
  writes: number;
  after: number;
}

/** A cancel that is delivered right before the n-th write of a port, whatever step is under way. */
const runCancelling = async (goal: string, n: number): Promise<Run> => {
  let writes = 0;
  let toolsAtMark = 0;
  const at: Hook = async (call) => {
    if (!WRITES.has(call.name)) return call.run();
    writes += 1;
    if (writes === n) {
      await callStep(house, 'route', { message: await cancelOf(house, root) });
      toolsAtMark = house.witness.tools.length;
    }
    return call.run();
  };
  const house = await openChaosHouse({ hooks: [at], holarchy: rivals, checked: false });
  const root = await submit({ ...house, ports: house.storage as never }, { goal });
  house.start();
  await house.idle();
  return { house, root, writes, after: n === 0 ? 0 : house.witness.tools.length - toolsAtMark };
};

describe.each([ROOT_GOAL, PAIR_GOAL])('cancelling "%s"', (goal) => {
  it('before any write at all: every descendant ends, and at most one call is under way', async () => {
    const calm = await runCancelling(goal, 0);
    await calm.house.close();
    expect(calm.writes).toBeGreaterThan(150);
    const states = new Set<string>();
    for (let n = 1; n <= calm.writes; n += 1) {
      const run = await runCancelling(goal, n);
      await allOver(run.house, run.root, `before write ${n}`);
      const leaves = goal === PAIR_GOAL ? 2 : 1;
      expect(run.after, `tool calls after the cancel before write ${n}`).toBeLessThanOrEqual(leaves);
      states.add((await taskOf(run.house, run.root)).state);
      await run.house.close();
    }
    expect([...states].sort()).toEqual(['cancelled', 'completed']);
  });
});

describe('cancelling', () => {
  it('before the house has started: nothing is planned', async () => {
    const house = await open();
    const root = await submit(house, { goal: ROOT_GOAL });
    await cancel(house, root);
    house.start();
    await house.idle();
    expect((await taskOf(house, root)).state).toBe('cancelled');
    expect(house.witness.tools).toEqual([]);
    await allOver(house, root, 'before the start');
  });

  it('twice, and after the end, changes nothing more', async () => {
    const house = await open();
    house.start();
    const root = await submit(house, { goal: ROOT_GOAL });
    await house.idle();
    const message = await cancelOf(house, root);
    await callStep(house, 'route', { message });
    await callStep(house, 'route', { message });
    await house.idle();
    expect((await taskOf(house, root)).state).toBe('completed');
    await allOver(house, root, 'after the end');
  });

  it('a child that has countered is not left countered', async () => {
    const { hook, said } = recordMessages();
    const countered = once(
      ({ name, args }) =>
        name === 'messages.publish' &&
        (args[0] as Message[]).some((one) => one.method === 'hca/task/delegate' && one.params.offer === 2),
      async () => callStep(house, 'route', { message: await cancelOf(house, root) }),
    );
    const house: ChaosHouse = await open({ hooks: [hook, countered], packages: [costly(42)] });
    house.start();
    const root = await submit(house, { goal: ROOT_GOAL, to: 'works', budget: { calls: 50 } });
    await house.idle();
    expect(said.some((one) => one.method === 'hca/task/negotiate')).toBe(true);
    expect((await tasksBelow(house, root)).map(({ state }) => state)).toEqual(['cancelled', 'cancelled']);
    await allOver(house, root, 'countered');
  });

  it('pitfall 14: a child put by a sibling that was still running when the cancel walked does not start', async () => {
    // Only the middle task is cancelled, so that the root carries no mark that would stop the late child.
    const late = gate(({ name, args }) => name === 'tasks.put' && (args[0] as { id: string }).id.endsWith('x11_1'));
    const house = await open({ hooks: [late.hook] });
    house.start();
    const root = await submit(house, { goal: PAIR_GOAL });
    await late.reached;
    const middle = (await tasksBelow(house, root)).find(({ holon }) => holon === 'works');
    await cancel(house, middle?.id ?? '');
    await turns();
    late.open();
    await house.idle();
    const righty = (await tasksBelow(house, root)).find(({ holon }) => holon === 'righty');
    expect(righty?.state).toBe('cancelled');
    expect(house.witness.tools.filter(({ task }) => task === righty?.id)).toEqual([]);
    expect(middle?.id).toBe(righty?.parent?.task);
    await allOver(house, root, 'late child');
  });

  it('one branch: its parent takes it for lost and decides, its siblings go on', async () => {
    const working = gate(({ name, args }) => name === 'tools.call' && (args[0] as { holon: string }).holon === 'lefty');
    const house = await open({ hooks: [working.hook], holarchy: rivals });
    house.start();
    const root = await submit(house, { goal: PAIR_GOAL });
    await working.reached;
    const left = (await tasksBelow(house, root)).find(({ holon }) => holon === 'lefty');
    await cancel(house, left?.id ?? '');
    await turns();
    working.open();
    await house.idle();
    const tasks = await tasksBelow(house, root);
    expect(tasks.find(({ id }) => id === left?.id)?.state).toBe('cancelled');
    expect(tasks.find(({ holon }) => holon === 'lefty-b')?.state).toBe('completed');
    expect((await taskOf(house, root)).state).toBe('completed');
    await allOver(house, root, 'one branch');
  });

  it('pitfall 11: a cancel while every leaf is working leaves no tool call behind', async () => {
    const working = gate(({ name }) => name === 'tools.call');
    const house = await open({ hooks: [working.hook] });
    house.start();
    const root = await submit(house, { goal: ROOT_GOAL });
    await working.reached;
    const underWay = house.witness.tools.length;
    await cancel(house, root);
    await turns();
    working.open();
    await house.idle();
    expect(house.witness.tools.length - underWay).toBeLessThanOrEqual(1);
    expect(await house.ports.marks.read(TENANT, [root])).not.toBeNull();
    expect((await taskOf(house, root)).state).toBe('cancelled');
    await allOver(house, root, 'working');
  });
});
