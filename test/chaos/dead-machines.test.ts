// What the delivery model does not cover: machines that die for good, adopted grandchildren, reviews that did not happen.
import { describe, expect, it } from 'vitest';
import { gate, kill, loseMessages, tasksBelow, toEnd, turns } from '#test/support/chaos/acts.ts';
import { bench, failing, fine, killing } from '#test/support/chaos/bench.ts';
import { broken } from '#test/support/chaos/final-state.ts';
import { scratch } from '#test/support/chaos/folders.ts';
import { ROOT_GOAL } from '#test/support/chaos/goals.ts';
import { rivals, twoEvaluators } from '#test/support/chaos/holarchies.ts';
import { openChaosHouse } from '#test/support/chaos/house.ts';
import type { Hook } from '#test/support/chaos/intercept.ts';
import { killHouse } from '#test/support/chaos/power-cut.ts';
import { submit, TENANT, taskOf } from '#test/support/submit.ts';

const { houses, open } = bench();

describe('pitfall 17: a machine that dies', () => {
  it('three times is lost, and the parent decides', async () => {
    const house = await open({ hooks: [killing(houses, { holon: 'turner', step: 'work' })], holarchy: rivals });
    const root = await submit(house, { goal: 'take the turn', to: 'works' });
    await toEnd(house);
    const [, first, second] = await tasksBelow(house, root);
    expect([first?.state, first?.escalation?.reason, first?.generation]).toEqual(['escalated', 'lost', 3]);
    expect([second?.holon, second?.state]).toEqual(['turner-b', 'completed']);
    await fine(house, root);
  });

  it('three times takes its subtree with it', async () => {
    const working = gate(({ name }) => name === 'tools.call');
    const house = await open({ hooks: [working.hook] });
    const root = await submit(house, { goal: ROOT_GOAL });
    await working.reached;
    const middle = (await tasksBelow(house, root)).find(({ holon }) => holon === 'works');
    for (const generation of [1, 2, 3]) {
      kill(house, `${middle?.id}-${generation}`);
      await turns();
    }
    working.open();
    await toEnd(house);
    const states = (await tasksBelow(house, root)).map(({ holon, state }) => [holon, state]);
    expect(states).toEqual([
      ['root', 'escalated'],
      ['works', 'escalated'],
      ['turner', 'cancelled'],
    ]);
    await fine(house, root);
  });

  it('in the middle adopts its children: the same grandchild goes on and is taken', async () => {
    const working = gate(({ name }) => name === 'tools.call');
    const house = await open({ hooks: [working.hook] });
    const root = await submit(house, { goal: ROOT_GOAL });
    await working.reached;
    const before = (await tasksBelow(house, root)).map(({ id }) => id);
    const middle = (await tasksBelow(house, root)).find(({ holon }) => holon === 'works');
    kill(house, `${middle?.id}-1`);
    await turns();
    working.open();
    await toEnd(house);
    expect((await tasksBelow(house, root)).map(({ id }) => id)).toEqual(before);
    expect((await taskOf(house, middle?.id ?? '')).generation).toBe(2);
    expect((await taskOf(house, root)).state).toBe('completed');
    await fine(house, root);
  });

  it('right before this process does is swept by the next one', async () => {
    const { folder, remove } = scratch('owed');
    let isDark = false;
    let dark: () => void = () => undefined;
    const cut = new Promise<void>((resolve) => {
      dark = resolve;
    });
    const power: Hook = async (call) => {
      if (call.name === 'workflows.start' && String(call.args[1]).endsWith('-2')) isDark = true;
      if (!isDark) return call.run();
      dark();
      return new Promise(() => undefined);
    };
    const first = await openChaosHouse({
      folder,
      hooks: [power, killing(houses, { holon: 'turner', step: 'work', times: 1 })],
    });
    houses.push(first);
    first.start();
    const root = await submit(first, { goal: ROOT_GOAL });
    await cut;
    await killHouse(first);
    houses.splice(0);
    const house = await open({ folder });
    await turns();
    await house.idle();
    expect((await taskOf(house, root)).state).toBe('completed');
    expect(await broken(house, root)).toEqual([]);
    await house.close();
    remove();
  });

  it('with its evaluator: another one is asked, and the zombie judge says nothing more', async () => {
    const judging = gate(
      ({ name, args }) => name === 'sandbox.open' && (args[0] as { id: string }).id.startsWith('review-'),
    );
    const house = await open({ hooks: [judging.hook], found: () => 'done', holarchy: twoEvaluators });
    const root = await submit(house, { goal: 'take the turn', to: 'turner' });
    await judging.reached;
    house.asl.stop({ machine: 'review', name: `${root}-r1-1-1` }, 'killed by a test');
    await turns();
    judging.open();
    await toEnd(house);
    expect(await taskOf(house, root)).toMatchObject({ state: 'completed', evaluators_tried: ['critic'] });
    await fine(house, root);
  });
});

describe('pitfall 48: a review that did not happen', () => {
  const blind = () =>
    failing(({ name, args }) => name === 'sandbox.open' && (args[0] as { id: string }).id.startsWith('review-'));

  it('is never a pass: nobody could judge, so the task escalates', async () => {
    const { hook } = blind();
    const house = await open({ hooks: [hook], found: () => 'done', holarchy: twoEvaluators });
    const root = await submit(house, { goal: 'take the turn', to: 'turner' });
    await toEnd(house);
    expect(await taskOf(house, root)).toMatchObject({
      state: 'escalated',
      result: null,
      escalation: { reason: 'no_evaluator' },
    });
    const reviews = (await house.ports.tasks.below(TENANT, root)).filter(({ kind }) => kind === 'review');
    expect(new Set(reviews.map(({ holon }) => holon)).size).toBe(2);
    await fine(house, root);
  });

  it('in time is asked of another evaluator, and the late verdict changes nothing', async () => {
    const verdicts = loseMessages(({ method, from }) => method === 'hca/review/verdict' && from === 'critic');
    const house = await open({ hooks: [verdicts.hook], found: () => 'done', holarchy: twoEvaluators });
    const root = await submit(house, { goal: 'take the turn', to: 'turner' });
    await toEnd(house);
    const before = await taskOf(house, root);
    expect(before.evaluators_tried).toEqual(['critic']);
    expect(verdicts.lost).toHaveLength(1);
    await house.storage.bus.publish(verdicts.lost);
    await house.idle();
    expect(await taskOf(house, root)).toEqual(before);
    await fine(house, root);
  });
});
