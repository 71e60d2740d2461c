// The traces of the delivery model, V7 to V12: each is what happens when one rule is left out, run against the real code (architecture section 3).
import { describe, expect, it } from 'vitest';
import type { WaitKey } from '#shared/contracts/effects.ts';
import type { AnyRecord } from '#shared/contracts/task.ts';
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
import { bench, fine, TURN, theDelegation, waitOf } from '#test/support/chaos/bench.ts';
import { rivals } from '#test/support/chaos/holarchies.ts';
import type { ChaosHouse } from '#test/support/chaos/house.ts';
import type { PortCall } from '#test/support/chaos/intercept.ts';
import { submit, TENANT, taskOf } from '#test/support/submit.ts';

const { open } = bench();

describe('delivery', () => {
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
