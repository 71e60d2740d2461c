// What the delivery model does not cover: retries exhausted, machines that die for good, dead reviews, adopted grandchildren, dead letters.
import { afterEach, describe, expect, it } from 'vitest';
import { HcaFault } from '#shared/contracts/errors.ts';
import type { Message } from '#shared/contracts/messages.ts';
import type { AnyRecord } from '#shared/contracts/task.ts';
import { gate, loseMessages, tasksBelow, toEnd, turns } from '#test/support/chaos/acts.ts';
import { broken, journalOf } from '#test/support/chaos/final-state.ts';
import { scratch } from '#test/support/chaos/folders.ts';
import { PAIR_GOAL, ROOT_GOAL } from '#test/support/chaos/goals.ts';
import { rivals, twoEvaluators } from '#test/support/chaos/holarchies.ts';
import { type ChaosHouse, type ChaosOptions, openChaosHouse } from '#test/support/chaos/house.ts';
import type { Hook, PortCall } from '#test/support/chaos/intercept.ts';
import { killHouse } from '#test/support/chaos/power-cut.ts';
import { VirtualClock } from '#test/support/chaos/virtual-time.ts';
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

const fine = async (house: ChaosHouse, root: string): Promise<void> => {
  expect(await broken(house, root)).toEqual([]);
  expect(house.witness.illegal).toEqual([]);
  expect(house.witness.twice).toEqual([]);
};

const unavailable = (): never => {
  throw new HcaFault('HcaUnavailable', { message: 'a test says so' });
};

/** A port call that fails for ever where it matches, and how often it was tried. */
const failing = (match: (call: PortCall) => boolean): { hook: Hook; tries: () => number } => {
  let tries = 0;
  const hook: Hook = async (call) => {
    if (!match(call)) return call.run();
    tries += 1;
    return unavailable();
  };
  return { hook, tries: () => tries };
};

/** Ends every machine of a holon's tasks as soon as it has saved that step. */
const killing = (holon: string, step: string, times = Number.POSITIVE_INFINITY): Hook => {
  let left = times;
  return async (call) => {
    const result = await call.run();
    const record = call.args[0] as AnyRecord;
    if (call.name !== 'tasks.save' || record.holon !== holon || record.last?.step !== step || left === 0) return result;
    left -= 1;
    const machine = record.kind === 'review' ? 'review' : 'task';
    const [name] = record.last.caused_by.split('#');
    for (const house of houses) house.asl.stop({ machine, name: name ?? '' }, 'killed by a test');
    return result;
  };
};

describe('retries', () => {
  it('that are exhausted escalate as a fault, and the parent gives the task to another holon', async () => {
    const { hook, tries } = failing(
      ({ name, args }) => name === 'sandbox.open' && (args[0] as { id: string }).id.endsWith('_1'),
    );
    const house = await open({ hooks: [hook], holarchy: rivals });
    const root = await submit(house, { goal: 'take the turn', to: 'works' });
    await toEnd(house);
    expect(tries()).toBe(7); // the call and 6 retries: one owner of retries (pitfall 21)
    const [, first, second] = await tasksBelow(house, root);
    expect([first?.state, first?.escalation?.reason]).toEqual(['escalated', 'fault']);
    expect([second?.holon, second?.state]).toEqual(['turner-b', 'completed']);
    await fine(house, root);
  });

  it('that are exhausted in one child of a wave leave no sibling running', async () => {
    const working = gate(({ name, args }) => name === 'tools.call' && (args[0] as { holon: string }).holon === 'lefty');
    const refused: Hook = async (call) => {
      if (call.name !== 'ledger.grant' || !(call.args[1] as { child: string }).child.endsWith('11_1'))
        return call.run();
      await working.reached; // its sibling is at work by then
      return unavailable();
    };
    const house = await open({ hooks: [refused, working.hook] });
    const root = await submit(house, { goal: PAIR_GOAL, to: 'works' });
    await working.reached;
    for (let left = 20; left > 0 && (await taskOf(house, root)).state !== 'escalated'; left -= 1) await turns(50);
    working.open();
    await toEnd(house);
    const left = (await tasksBelow(house, root)).find(({ holon }) => holon === 'lefty');
    expect((await taskOf(house, root)).escalation?.reason).toBe('fault');
    expect(left?.state).toBe('cancelled');
    // The offer that never took effect has no entry, which is what an entry proves; everything else is whole.
    expect((await broken(house, root)).filter((one) => !one.includes(`${root}_11 has`))).toEqual([]);
    expect(house.witness.illegal).toEqual([]);
  });
});

describe('after acceptance', () => {
  it('a fault takes nothing back: the task completes', async () => {
    let tries = 0;
    const hook: Hook = async (call) => {
      if (call.name !== 'journal.append' || (call.args[0] as { step: string }).step !== 'accept') return call.run();
      tries += 1;
      return tries <= 7 ? unavailable() : call.run();
    };
    const house = await open({ hooks: [hook] });
    const root = await submit(house, { goal: 'take the turn', to: 'turner' });
    await toEnd(house);
    expect(tries).toBe(8);
    expect(await taskOf(house, root)).toMatchObject({ state: 'completed', escalation: null, generation: 1 });
    await fine(house, root);
  });
});

describe('pitfall 17: a machine that dies', () => {
  it('three times is lost, and the parent decides', async () => {
    const house = await open({ hooks: [killing('turner', 'work')], holarchy: rivals });
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
      house.asl.stop({ machine: 'task', name: `${middle?.id}-${generation}` }, 'killed by a test');
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
    house.asl.stop({ machine: 'task', name: `${middle?.id}-1` }, 'killed by a test');
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
    const first = await openChaosHouse({ folder, hooks: [power, killing('turner', 'work', 1)] });
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

describe('messages', () => {
  it('that died are redriven, and the task goes on', async () => {
    let isBroken = true;
    const hook: Hook = async (call) => (call.name === 'holons.all' && isBroken ? unavailable() : call.run());
    const house = await open({ hooks: [hook] });
    const root = await submit(house, { goal: ROOT_GOAL });
    await house.idle();
    expect(house.storage.bus.deadLetters().map(({ method }) => method)).toEqual(['hca/task/delegate']);
    expect((await taskOf(house, root)).state).toBe('submitted');
    isBroken = false;
    expect(house.storage.bus.redrive('all')).toBe(1);
    await house.idle();
    expect((await taskOf(house, root)).state).toBe('completed');
    await fine(house, root);
  });

  it('pitfall 31: a redrive of what was handled long ago starts nothing again', async () => {
    const said: Message[] = [];
    const hook: Hook = (call) => {
      if (call.name === 'messages.publish') said.push(...(call.args[0] as Message[]));
      return call.run();
    };
    const house = await open({ hooks: [hook], bus: { deliver: () => ({ copies: 1, delayMs: 0, pastInbox: true }) } });
    const root = await submit(house, { goal: ROOT_GOAL });
    await house.idle();
    const before = await house.ports.tasks.below(TENANT, root);
    const calls = house.witness.tools.length;
    await house.storage.bus.publish(said);
    await house.idle();
    expect(said.length).toBeGreaterThan(20);
    expect(await house.ports.tasks.below(TENANT, root)).toEqual(before);
    expect(house.witness.tools.length).toBe(calls);
    const notes = (await journalOf(house, root)).filter(({ note }) => note !== null).map(({ text }) => text);
    expect(notes.filter((text) => text.includes('came too late')).length).toBeGreaterThan(0);
    await fine(house, root);
  });
});

describe('time', () => {
  class SleepyClock extends VirtualClock {
    slept = 0;
    override now(): number {
      return super.now() + this.slept;
    }
  }

  it('that passes between two turns of one visit ends no task half-way', async () => {
    const clock = new SleepyClock();
    const sleep: Hook = async (call) => {
      const result = await call.run();
      if (call.name === 'tasks.save') clock.slept += 120_000;
      return result;
    };
    const house = await open({ hooks: [sleep], clock });
    const root = await submit(house, { goal: ROOT_GOAL, budget: { time_ms: 40 * 3_600_000 } });
    await house.idle();
    expect((await taskOf(house, root)).state).toBe('completed');
    await fine(house, root);
  });
});
