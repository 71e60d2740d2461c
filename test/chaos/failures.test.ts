// What the delivery model does not cover: retries exhausted, faults after acceptance, dead letters, time that jumps.
import { describe, expect, it } from 'vitest';
import type { Message } from '#shared/contracts/messages.ts';
import { gate, tasksBelow, toEnd, turns } from '#test/support/chaos/acts.ts';
import { bench, failing, fine, unavailable } from '#test/support/chaos/bench.ts';
import { broken, journalOf } from '#test/support/chaos/final-state.ts';
import { PAIR_GOAL, ROOT_GOAL } from '#test/support/chaos/goals.ts';
import { rivals } from '#test/support/chaos/holarchies.ts';
import type { Hook } from '#test/support/chaos/intercept.ts';
import { VirtualClock } from '#test/support/chaos/virtual-time.ts';
import { submit, TENANT, taskOf } from '#test/support/submit.ts';

const { open } = bench();

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
    await toEnd(house);
    expect((await taskOf(house, root)).state).toBe('completed');
    await fine(house, root);
  });
});
