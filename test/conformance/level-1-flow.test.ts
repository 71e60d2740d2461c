// Level 1, delegation: the scripted "Basic Holonic Flow", and what can be seen of it through the door.
import { expect } from 'vitest';
import type { ParamsIn } from '#shared/contracts/acp.ts';
import { type Card, type House, nodesOf, once, taskOf } from './house.ts';
import { saidBy, toldIn } from './trail.ts';
import { performs, scenario, verifies } from './verifies.ts';

const GOAL = 'certify: fail review 1 times';

/** A holarchy with nothing but a root and somebody who may review; the domain and the leaf are made by the script. */
const BARE: ParamsIn<'_hca/holarchy/apply'>['file'] = {
  version: 1,
  policy: {
    tools: { allow: ['shell.*', 'filesystem.*'] },
    side_effects: 'local_write',
    paths: { write: ['**'] },
    servers: ['shell', 'filesystem'],
  },
  holons: [
    { id: 'mission', role: 'root', can_delegate: true, capacity: 1000 },
    { id: 'critic', role: 'leaf', parent: 'mission', evaluates: true, tools: ['shell.run', 'filesystem.read_file'] },
  ],
};
const DOMAIN: Card = {
  id: 'crafts',
  role: 'domain',
  parent: 'mission',
  harness: null,
  tools: [],
  can_delegate: true,
};
const LEAF: Card = { id: 'maker', parent: 'crafts', families: ['certify-fail'] };

scenario('Level 1: Basic Holonic Flow', (house) => {
  const root = once(() => house().door().call('_hca/holarchy/apply', { file: BARE }));
  const domain = once(() => root().then(() => house().add(DOMAIN)));
  const leaf = once(() => domain().then(() => house().add(LEAF)));
  const task = once(() => leaf().then(() => house().submit(GOAL)));
  const flow = once(async () => house().ended(await task()));
  const child = async (holon: string) => {
    const { view } = await flow();
    return house()
      .door()
      .call('_hca/task/get', { task: taskOf(view.tree, holon).record });
  };
  const artifact = once(async () => {
    const { artifact: ref } = await child('maker');
    return house().door().call('_hca/artifact/get', { id: ref!.id, version: ref!.version });
  });

  performs('basic-holonic-flow', 1, async () => {
    expect(await root()).toMatchObject({ root: 'mission', applied: true });
    return cardsOf(house());
  });

  performs('basic-holonic-flow', 2, async () => {
    expect(await domain()).toMatchObject({ role: 'domain', parent: 'mission' });
    return cardsOf(house());
  });

  performs('basic-holonic-flow', 3, async () => {
    expect(await leaf()).toMatchObject({ role: 'leaf', parent: 'crafts' });
    return cardsOf(house());
  });

  performs('basic-holonic-flow', 4, async () => {
    const id = await task();
    await house().until(id, ({ step, holon }) => step === 'answer' && holon === 'mission');
    return { task: id };
  });

  performs('basic-holonic-flow', 5, async () => {
    const { entries } = await flow();
    const told = toldIn(entries).find(({ method, to }) => method === 'hca/task/delegate' && to === 'crafts');
    expect(told).toMatchObject({ from: 'mission' });
    return { told };
  });

  performs('basic-holonic-flow', 6, async () => {
    const { entries } = await flow();
    const told = toldIn(entries).find(({ method, to }) => method === 'hca/task/delegate' && to === 'maker');
    expect(told).toMatchObject({ from: 'crafts' });
    return { told };
  });

  performs('basic-holonic-flow', 7, async () => {
    const { meta } = await artifact();
    expect(meta).toMatchObject({ kind: 'change-set', holon_id: 'maker', iteration: 2 });
    expect(meta.version).toBeGreaterThanOrEqual(1);
    return { meta };
  });

  performs('basic-holonic-flow', 8, async () => {
    const { verdict } = await child('maker');
    expect(verdict).toMatchObject({ result: 'pass', producer_holon: 'maker', evaluator_holon: 'critic' });
    return { verdict: verdict?.result, review: verdict?.review };
  });

  performs('basic-holonic-flow', 9, async () => {
    const { view } = await flow();
    expect(view).toMatchObject({ holon: 'mission', outcome: 'accepted', verdict: { result: 'pass' } });
    expect(view.artifact?.sha256).toBe((await artifact()).meta.sha256);
    return { task: view.task, outcome: view.outcome, artifact: view.artifact?.id };
  });

  verifies('L1-DEL-01', 'the leaf below the domain below the root did the task', async () => {
    const { view, entries } = await flow();
    expect(
      nodesOf(view.tree)
        .filter(({ kind }) => kind === 'task')
        .map(({ holon }) => holon),
    ).toEqual(['mission', 'crafts', 'maker']);
    const workers = new Set(saidBy(entries, 'work').map(({ holon }) => holon));
    expect([...workers]).toEqual(['maker']);
    return { workers: [...workers] };
  });

  verifies('L1-DEL-02', 'both children were told the goal', async () => {
    const goals = [(await child('crafts')).goal, (await child('maker')).goal];
    expect(goals).toEqual([GOAL, GOAL]);
    return { goals };
  });

  verifies('L1-DEL-03', 'each level has a budget, and no more than the level above', async () => {
    const { view } = await flow();
    const budgets = [view.budget, (await child('crafts')).budget, (await child('maker')).budget];
    for (const [at, budget] of budgets.entries()) {
      expect(budget.calls).toBeGreaterThan(0);
      expect(budget.calls).toBeLessThanOrEqual(budgets[at - 1]?.calls ?? budget.calls);
    }
    return { calls: budgets.map(({ calls }) => calls) };
  });

  verifies('L1-DEL-04', 'every delegation is answered by a response of the child', async () => {
    const { entries } = await flow();
    const told = toldIn(entries);
    const asked = told.filter(({ method }) => method === 'hca/task/delegate').map(({ to }) => to);
    const answered = told.filter(({ method }) => method === 'hca/task/delegate.result').map(({ from }) => from);
    expect(answered).toEqual(asked);
    expect(entries.map(({ text }) => text)).toContain('received hca/task/delegate.result');
    return { asked, answered };
  });
});

const cardsOf = async (house: House) => {
  const { holons } = await house.door().call('_hca/holon/list', {});
  return { holons: holons.map(({ id, role, parent }) => ({ id, role, parent })) };
};
