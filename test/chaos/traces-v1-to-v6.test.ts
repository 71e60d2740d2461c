// The traces of the delivery model, V1 to V6: each is what happens when one rule is left out, run against the real code (architecture section 3).
import { describe, expect, it } from 'vitest';
import type { WaitKey } from '#shared/contracts/effects.ts';
import type { Message } from '#shared/contracts/messages.ts';
import { callStep, isSave, loseMessages, once, recordMessages, toEnd } from '#test/support/chaos/acts.ts';
import { bench, fine, firstDelegate, TURN, theDelegation, waitOf } from '#test/support/chaos/bench.ts';
import { journalOf } from '#test/support/chaos/final-state.ts';
import { costly } from '#test/support/chaos/holarchies.ts';
import type { ChaosHouse } from '#test/support/chaos/house.ts';
import type { PortCall } from '#test/support/chaos/intercept.ts';
import { submit, TENANT, taskOf } from '#test/support/submit.ts';

const { open } = bench();

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
      ({ name, args }) => name === 'waits.token' && (args[2] as { fence: string }).fence.endsWith('.2000.1'),
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
});
