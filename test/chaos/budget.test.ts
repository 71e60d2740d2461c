// One ledger below a root: whatever runs side by side, dies or is given up, nothing is ever overspent (pitfalls 4, 6, 7, 9 and 38).
import { afterEach, describe, expect, it } from 'vitest';
import type { Ledger } from '#shared/contracts/budget.ts';
import { DIMENSIONS } from '#shared/contracts/budget.ts';
import type { WaitKey } from '#shared/contracts/effects.ts';
import type { AnyRecord } from '#shared/contracts/task.ts';
import { delegationsBelow, gate, recordMessages, tasksBelow, turns } from '#test/support/chaos/acts.ts';
import { broken } from '#test/support/chaos/final-state.ts';
import { manyLeaves, rivals } from '#test/support/chaos/holarchies.ts';
import { type ChaosHouse, type ChaosOptions, openChaosHouse } from '#test/support/chaos/house.ts';
import type { Hook } from '#test/support/chaos/intercept.ts';
import { submit, TENANT, taskOf } from '#test/support/submit.ts';

const houses: ChaosHouse[] = [];
afterEach(async () => {
  for (const house of houses.splice(0)) await house.close();
});

const open = async (options: ChaosOptions = {}): Promise<ChaosHouse> => {
  const house = await openChaosHouse(options);
  houses.push(house);
  house.start();
  return house;
};

/** What all tasks below a root really spent; children's grants are theirs to count. */
const spentBelow = async (house: ChaosHouse, root: string) => {
  const ledgers = await ledgersBelow(house, root);
  return Object.fromEntries(
    DIMENSIONS.map((dimension) => [dimension, ledgers.reduce((sum, one) => sum + one.committed[dimension], 0)]),
  );
};

const ledgersBelow = async (house: ChaosHouse, root: string): Promise<Ledger[]> => {
  const tasks = await tasksBelow(house, root);
  const found = await Promise.all(tasks.map(({ id }) => house.ports.ledger.read(TENANT, id)));
  return found.filter((one) => one !== undefined);
};

/** How many tool calls were under way at once. */
const widest = () => {
  let now = 0;
  let most = 0;
  const hook: Hook = async (call) => {
    if (call.name !== 'tools.call') return call.run();
    now += 1;
    most = Math.max(most, now);
    await turns(3);
    const result = await call.run();
    now -= 1;
    return result;
  };
  return { hook, most: () => most };
};

describe('40 children on one ledger', () => {
  it.each([
    ['enough', 900],
    ['too little', 150],
  ] as const)('with %s for all of them: no overrun, and they did run side by side', async (_what, calls) => {
    const width = widest();
    const { holarchy, packages, goal } = manyLeaves(40);
    const house = await open({ hooks: [width.hook], holarchy, packages, checked: false });
    const root = await submit(house, { goal, to: 'works', budget: { calls, attempts: 200 } });
    await house.idle();
    const spent = await spentBelow(house, root);
    expect((await tasksBelow(house, root)).length).toBeGreaterThanOrEqual(41);
    expect(width.most()).toBeGreaterThan(10);
    expect(house.witness.tools.length).toBeLessThanOrEqual(calls);
    expect(spent.calls).toBe(house.witness.tools.length);
    expect((await taskOf(house, root)).state).toBe(calls === 900 ? 'completed' : 'escalated');
    expect(await broken(house, root)).toEqual([]);
    expect(house.witness.illegal).toEqual([]);
  });
});

describe('a child that was given up and still spends', () => {
  it('is refused by its closed ledger: no call is made, and the one that took over has its budget', async () => {
    const working = gate(({ name, args }) => name === 'ledger.reserve' && String(args[1]).endsWith('_1'));
    const house = await open({ hooks: [working.hook], holarchy: rivals });
    const root = await submit(house, { goal: 'take the turn', to: 'works' });
    await working.reached;
    const [delegation] = await delegationsBelow(house, root);
    const key: WaitKey = { task: root, on: delegation?.child ?? '', offer: 1 };
    const wait = await house.ports.waits.outcome(TENANT, key, { word: 'lost', by: 'a test', body: null });
    await house.ports.workflows.succeed(wait.token ?? '');
    await turns();
    const before = house.witness.tools.filter(({ task }) => task === delegation?.child).length;
    working.open();
    await house.idle();
    const [, first, second] = await tasksBelow(house, root);
    expect(house.witness.tools.filter(({ task }) => task === first?.id).length).toBe(before);
    expect(second?.state).toBe('completed');
    expect((await taskOf(house, root)).state).toBe('completed');
    expect(await broken(house, root)).toEqual([]);
  });

  it('took what it spent with it: the one that takes over is offered what is left, not what is gone', async () => {
    const accepted = (record: AnyRecord) => record.holon === 'turner' && record.last?.step === 'accept';
    const late: Hook = async (call) => {
      const result = await call.run();
      if (call.name !== 'tasks.save' || !accepted(call.args[0] as AnyRecord)) return result;
      const [delegation] = await delegationsBelow(house, root);
      const key: WaitKey = { task: root, on: delegation?.child ?? '', offer: 1 };
      const wait = await house.ports.waits.outcome(TENANT, key, { word: 'lost', by: 'a test', body: null });
      await house.ports.workflows.succeed(wait.token ?? '');
      return result;
    };
    const house: ChaosHouse = await open({ hooks: [late], holarchy: rivals });
    const root = await submit(house, { goal: 'take the turn', to: 'works', budget: { attempts: 5, calls: 30 } });
    await house.idle();
    const [delegation] = await delegationsBelow(house, root);
    expect(delegation?.tried.map(({ outcome }) => outcome)).toEqual(['lost']);
    expect(delegation?.constraints.budget).toMatchObject({ attempts: 3, calls: 23 });
    expect(delegation?.state).toBe('done');
    expect(await broken(house, root)).toEqual([]);
  });
});

describe('pitfall 8: a budget of nothing', () => {
  it.each(['calls', 'attempts', 'time_ms'] as const)('0 %s refuses, it is never unlimited', async (dimension) => {
    const house = await open();
    const root = await submit(house, { goal: 'take the turn', to: 'turner', budget: { [dimension]: 0 } });
    await house.idle();
    expect(house.witness.tools).toEqual([]);
    expect((await taskOf(house, root)).state).not.toBe('completed');
  });
});

describe('pitfall 6: fan-out', () => {
  it('is admitted by the ledger before anything is sent: who has no grant is never asked', async () => {
    const { holarchy, packages, goal } = manyLeaves(6);
    const { hook, said } = recordMessages();
    const house = await open({ hooks: [hook], holarchy, packages });
    const root = await submit(house, { goal, to: 'works', budget: { calls: 3 } });
    await house.idle();
    const granted = (await ledgersBelow(house, root)).map(({ task }) => task);
    const sent = said.filter(({ method, to }) => method === 'hca/task/delegate' && to.startsWith('leaf-'));
    expect(sent.filter(({ task }) => !granted.includes(task))).toEqual([]);
    expect(house.witness.tools.length).toBeLessThanOrEqual(3);
    expect(await broken(house, root)).toEqual([]);
  });
});
