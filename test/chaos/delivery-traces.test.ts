// The traces of the delivery model: each is what happens when one rule is left out, run against the real code (architecture section 3).
import { afterEach, describe, expect, it } from 'vitest';
import type { WaitKey } from '#shared/contracts/effects.ts';
import type { Message } from '#shared/contracts/messages.ts';
import type { AnyRecord, DelegationRecord } from '#shared/contracts/task.ts';
import {
  callStep,
  cancel,
  cancelOf,
  delegationsBelow,
  gate,
  isSave,
  loseMessages,
  once,
  recordMessages,
  tasksBelow,
  toEnd,
  turns,
} from '#test/support/chaos/acts.ts';
import { broken, journalOf } from '#test/support/chaos/final-state.ts';
import { costly, rivals } from '#test/support/chaos/holarchies.ts';
import { type ChaosHouse, type ChaosOptions, openChaosHouse } from '#test/support/chaos/house.ts';
import type { PortCall } from '#test/support/chaos/intercept.ts';
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

const TURN = { goal: 'take the turn', to: 'works' };

const theDelegation = async (house: ChaosHouse, root: string): Promise<DelegationRecord> => {
  const [one] = await delegationsBelow(house, root);
  if (one === undefined) throw new Error('nothing was delegated');
  return one;
};

const waitOf = ({ task, child, offer }: DelegationRecord): WaitKey => ({ task, on: child, offer });

/** The payload with which the machine called Delegate first. */
const firstDelegate = ({ id, task }: Pick<DelegationRecord, 'id' | 'task'>, retry = 0) => ({
  tenant: TENANT,
  record: id,
  execution: `${task}-1`,
  tick: 1,
  redrive: 0,
  retry,
  token: `dead-${retry}`,
});

const fine = async (house: ChaosHouse, root: string): Promise<void> => {
  expect(await broken(house, root)).toEqual([]);
  expect(house.witness.illegal).toEqual([]);
  expect(house.witness.twice).toEqual([]);
};

describe('delivery', () => {
  it('V1: a zombie Delegate that wakes after Settle decides nothing and touches nothing', async () => {
    const woken: unknown[] = [];
    const wake = once(
      (call) => isSave(call, 'settle', 'delegation'),
      async () => {
        const before = await theDelegation(house, root);
        const wait = await house.ports.waits.read(TENANT, waitOf(before));
        woken.push(await callStep(house, 'delegate', firstDelegate(before)).catch((error: Error) => error.name));
        expect(await theDelegation(house, root)).toEqual(before);
        expect(await house.ports.waits.read(TENANT, waitOf(before))).toEqual(wait);
      },
      'after',
    );
    const house: ChaosHouse = await open({ hooks: [wake] });
    const root = await submit(house, TURN);
    await house.idle();
    expect(woken).toEqual(['HcaStale']);
    expect((await taskOf(house, root)).state).toBe('completed');
    await fine(house, root);
  });

  it('V2: a wait that timed out is settled and arbitrated, never refused as stale', async () => {
    const { hook } = loseMessages(({ method, to }) => method === 'hca/task/delegate' && to === 'turner');
    const house = await open({ hooks: [hook] });
    const root = await submit(house, TURN);
    await toEnd(house);
    const delegation = await theDelegation(house, root);
    expect(delegation.tried.map(({ outcome }) => outcome)).toEqual(['closed']);
    expect(delegation.state).toBe('failed');
    expect((await taskOf(house, root)).escalation?.reason).toBe('child_failed');
    await fine(house, root);
  });

  it('V3: a change cut off before its journal entry is finished by the next step', async () => {
    let cuts = 0;
    const cut = async (call: PortCall) => {
      const entry = call.args[0] as { step: string; kind: string };
      if (call.name === 'journal.append' && entry.step === 'delegate' && cuts === 0) {
        cuts += 1;
        return undefined; // the entry is lost, as if the process had died here
      }
      return call.run();
    };
    const house = await open({ hooks: [cut] });
    const root = await submit(house, TURN);
    await house.idle();
    expect(cuts).toBe(1);
    const { id } = await theDelegation(house, root);
    const entries = (await journalOf(house, root)).filter(({ record, note }) => record === id && note === null);
    expect(entries.map(({ version, step }) => [version, step])).toEqual([
      [1, 'delegate'],
      [2, 'settle'],
    ]);
    await fine(house, root);
  });

  it('V4: a zombie does not overwrite the newer token with its dead one', async () => {
    let fails = 1;
    const woken: unknown[] = [];
    const failOnce = async (call: PortCall) => {
      if (call.name !== 'waits.token' || fails === 0) return call.run();
      fails -= 1;
      throw Object.assign(new Error('throttled'), { name: 'HcaThrottled' });
    };
    const wake = once(
      ({ name, args }) => name === 'waits.token' && (args[2] as { fence: string }).fence.endsWith('.1.1'),
      async () => {
        const delegation = await theDelegation(house, root);
        const live = await house.ports.waits.read(TENANT, waitOf(delegation));
        woken.push(await callStep(house, 'delegate', firstDelegate(delegation, 0)));
        expect((await house.ports.waits.read(TENANT, waitOf(delegation)))?.token).toBe(live?.token);
      },
      'after',
    );
    const house: ChaosHouse = await open({ hooks: [failOnce, wake] });
    const root = await submit(house, TURN);
    await house.idle();
    expect(woken).toEqual([{ word: 'waiting' }]);
    expect((await taskOf(house, root)).state).toBe('completed');
    await fine(house, root);
  });

  it('V5: an old counter is not taken for the answer to the new offer', async () => {
    const { hook, said } = recordMessages();
    const repeated = once(
      ({ name, args }) => name === 'waits.token' && (args[1] as WaitKey).offer === 2,
      async () => {
        const old = said.find((one) => one.method === 'hca/task/negotiate' && 'answer' in one.params.say);
        await callStep(house, 'route', { message: old });
      },
      'after',
    );
    const house: ChaosHouse = await open({ hooks: [hook, repeated], packages: [costly(42)] });
    const root = await submit(house, { ...TURN, budget: { calls: 50 } });
    await house.idle();
    const delegation = await theDelegation(house, root);
    expect(delegation).toMatchObject({ state: 'done', offer: 2, n: 1 });
    expect(delegation.tried.map(({ outcome, offer }) => [outcome, offer])).toEqual([['counter', 1]]);
    await fine(house, root);
  });

  it('V6: an answer that was saved but never told is told by the redelivery', async () => {
    let cuts = 0;
    const cut = async (call: PortCall) => {
      const isIt =
        call.name === 'messages.publish' &&
        (call.args[0] as Message[]).some(({ method, from }) => method === 'hca/task/negotiate' && from === 'turner');
      if (!isIt || cuts > 0) return call.run();
      cuts += 1;
      throw new Error('the process died here');
    };
    const house = await open({ hooks: [cut] });
    const root = await submit(house, TURN);
    await house.idle();
    expect(cuts).toBe(1);
    expect((await taskOf(house, root)).state).toBe('completed');
    await fine(house, root);
  });

  it('V7: a cancel that walks the waits before the token is written still ends the wait', async () => {
    const walk = once(
      ({ name, args }) => name === 'waits.token' && (args[1] as WaitKey).on !== '~ends',
      async () => callStep(house, 'route', { message: await cancelOf(house, root) }),
    );
    const house: ChaosHouse = await open({ hooks: [walk] });
    const root = await submit(house, TURN);
    await house.idle();
    expect((await taskOf(house, root)).state).toBe('cancelled');
    expect((await tasksBelow(house, root)).map(({ state }) => state)).toEqual(['cancelled', 'cancelled']);
    await fine(house, root);
  });

  it('V8: a child whose start is under way is waited for, and ends without a tool call', async () => {
    const isChild = (call: PortCall) => call.name === 'workflows.start' && String(call.args[1]).endsWith('_10_1-1');
    const starting = gate(isChild);
    const house = await open({ hooks: [starting.hook] });
    const root = await submit(house, TURN);
    await starting.reached;
    await cancel(house, root);
    await turns();
    expect((await taskOf(house, root)).state).toBe('cancelling');
    starting.open();
    await house.idle();
    expect((await tasksBelow(house, root)).map(({ state }) => state)).toEqual(['cancelled', 'cancelled']);
    expect(house.witness.tools).toEqual([]);
    await fine(house, root);
  });

  it.each([
    ['the offer', 'hca/task/delegate', 'turner'],
    ['the acceptance', 'hca/task/negotiate', 'works'],
  ] as const)('V9: %s that comes after the parent gave up starts no orphan', async (_what, method, to) => {
    const { hook, lost } = loseMessages(
      (message) => message.method === method && message.to === to && lost.length === 0,
    );
    const house = await open({ hooks: [hook] });
    const root = await submit(house, TURN);
    await toEnd(house);
    expect((await taskOf(house, root)).state).toBe('escalated');
    expect(lost).toHaveLength(1);
    await house.storage.bus.publish(lost);
    await toEnd(house);
    expect(house.witness.tools).toEqual([]);
    expect((await tasksBelow(house, root)).map(({ state }) => state)).toEqual(['escalated', 'cancelled']);
    await fine(house, root);
  });

  it('V10: a child that was replaced and completes all the same is not merged', async () => {
    const lost = loseMessages(({ method, to }) => method === 'hca/task/cancel' && to === 'turner');
    const replaced = once(
      (call) => isSave(call, 'accept', 'task') && (call.args[0] as AnyRecord).holon === 'turner',
      async () => {
        const delegation = await theDelegation(house, root);
        await house.ports.waits.outcome(TENANT, waitOf(delegation), { word: 'lost', by: 'a test', body: null });
        const { token } = (await house.ports.waits.read(TENANT, waitOf(delegation))) ?? {};
        if (token != null) await house.ports.workflows.succeed(token);
      },
    );
    const house: ChaosHouse = await open({ hooks: [lost.hook, replaced], holarchy: rivals });
    const root = await submit(house, TURN);
    await house.idle();
    const delegation = await theDelegation(house, root);
    const [, first, second] = await tasksBelow(house, root);
    expect([first?.holon, first?.state]).toEqual(['turner', 'completed']);
    expect([second?.holon, second?.state]).toEqual(['turner-b', 'completed']);
    expect(delegation.child).toBe(second?.id);
    expect((await taskOf(house, root)).artifact?.id).toBe(second?.artifact?.id);
    expect((await taskOf(house, root)).child_verdicts.map(({ task }) => task)).toEqual([second?.id]);
    await fine(house, root);
  });

  it('a result that comes between Settle and Arbitrate is taken whole, not as an empty done', async () => {
    const lost = loseMessages(({ method, to }) => method === 'hca/task/complete' && to === 'works');
    const late = once(
      (call) => isSave(call, 'settle', 'delegation'),
      async () => {
        for (const message of lost.lost) await callStep(house, 'route', { message });
      },
      'after',
    );
    const house: ChaosHouse = await open({ hooks: [lost.hook, late] });
    const root = await submit(house, TURN);
    await toEnd(house);
    expect((await theDelegation(house, root)).artifact).not.toBeNull();
    expect(await taskOf(house, root)).toMatchObject({ child_verdicts: [{ result: 'pass' }] });
    await fine(house, root);
  });

  it('V11: a refused grant is final: nothing is sent, and no child is made that would stay offered', async () => {
    const { hook, said } = recordMessages();
    const sibling = once(
      ({ name, args }) => name === 'ledger.grant' && (args[1] as { child: string }).child.endsWith('_11_1'),
      async () => {
        const ledger = await house.storage.ledger.read(TENANT, root);
        const rest = { ...ledger?.granted, attempts: 5 } as never;
        for (const amount of [rest, { usd_micros: 0, tokens: 0, calls: 0, attempts: 5, time_ms: 0 }])
          await house.storage.ledger.spend(TENANT, root, { key: `sibling-${JSON.stringify(amount)}`, amount });
      },
    );
    const house: ChaosHouse = await open({ hooks: [hook, sibling] });
    const root = await submit(house, { goal: 'take the left and take the right', to: 'works' });
    await house.idle();
    const refused = (await delegationsBelow(house, root)).find(({ to }) => to === 'righty');
    expect(refused?.tried.map(({ outcome }) => outcome)).toEqual(['no_budget']);
    expect(said.filter(({ method, to }) => method === 'hca/task/delegate' && to === 'righty')).toEqual([]);
    expect((await tasksBelow(house, root)).filter(({ holon }) => holon === 'righty')).toEqual([]);
    await fine(house, root);
  });

  it('V12: a grant that a zombie takes after the ledger was closed leaks no budget', async () => {
    const taking = gate(({ name }) => name === 'ledger.grant');
    const house = await open({ hooks: [taking.hook] });
    const root = await submit(house, TURN);
    await taking.reached;
    await house.ports.ledger.close(TENANT, `${root}_10_1`);
    taking.open();
    await toEnd(house);
    const ledger = await house.ports.ledger.read(TENANT, root);
    expect(ledger?.granted_to_children).toMatchObject({ calls: 0, attempts: 0, time_ms: 0 });
    expect((await theDelegation(house, root)).tried.map(({ outcome }) => outcome)).toEqual(['no_budget']);
    await fine(house, root);
  });
});
