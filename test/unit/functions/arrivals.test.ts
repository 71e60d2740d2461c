// Any messages in any order, one after the other or side by side: answer and route never make an illegal move (L2-FSM-01).
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Outcome, Wait } from '#shared/contracts/effects.ts';
import { HcaFault } from '#shared/contracts/errors.ts';
import { type DetailType, MESSAGES, Message } from '#shared/contracts/messages.ts';
import { isTerminal } from '#shared/domain/lifecycle.ts';
import { newTask } from '#shared/domain/records.ts';
import { traceOf } from '#shared/domain/trace-context.ts';
import { callStep } from '#test/support/chaos/acts.ts';
import { type ChaosHouse, openChaosHouse } from '#test/support/chaos/house.ts';
import type { Hook } from '#test/support/chaos/intercept.ts';
import { submit, TENANT, taskOf } from '#test/support/submit.ts';

/** One arrival: what, for which task, answering which offer, and whether it is the same saying as one before. */
const arrival = fc.record({
  what: fc.constantFrom('offer', 'accept', 'reject', 'counter', 'complete', 'escalate', 'cancel', 'cancel-root'),
  offer: fc.integer({ min: 1, max: 3 }),
  said: fc.integer({ min: 0, max: 3 }),
});
type Arrival = typeof arrival extends fc.Arbitrary<infer T> ? T : never;

interface Stage {
  house: ChaosHouse;
  root: string;
  child: string;
}

interface Still {
  house: ChaosHouse;
  rewritten: string[];
}

/** A house in which no machine runs: what route starts and resumes is only noted. */
const stillHouse = async (): Promise<Still> => {
  const outcomes = new Map<string, Outcome>();
  const rewritten: string[] = [];
  const note = (wait: Wait | undefined): void => {
    if (wait?.outcome == null) return;
    const key = JSON.stringify(wait.key);
    const first = outcomes.get(key) ?? wait.outcome;
    const isSame = first.by === wait.outcome.by && first.word === wait.outcome.word;
    if (!isSame) rewritten.push(`${key}: ${first.word} > ${wait.outcome.word}`);
    outcomes.set(key, first);
  };
  const still: Hook = async (call) => {
    await new Promise((resolve) => setImmediate(resolve));
    if (call.name === 'workflows.start') return 'started';
    if (call.name.startsWith('workflows.')) return undefined;
    const result = await call.run();
    if (call.name.startsWith('waits.') && call.name !== 'waits.of') note(result as Wait | undefined);
    return result;
  };
  return { house: await openChaosHouse({ hooks: [still] }), rewritten };
};

/** A parent that has offered its child a task. */
const stage = async (house: ChaosHouse): Promise<Stage> => {
  const root = await submit(house, { goal: 'take the turn', to: 'works' });
  const parent = await taskOf(house, root);
  const child = `${root}_10_1`;
  const birth = { tenant: TENANT, id: child, holon: 'turner', now: house.clock.now() };
  const parentOf = { from: 'works', parent: { task: root, holon: 'works' }, continues: null };
  const from = { ...parentOf, state: 'offered' as const, machine: 'leaf' as const };
  await house.ports.tasks.put(newTask(birth, from, parent));
  await house.ports.ledger.grant(TENANT, { parent: root, child, key: `${child}#1`, budget: parent.constraints.budget });
  return { house, root, child };
};

const messageOf = async ({ house, root, child }: Stage, { what, offer, said }: Arrival): Promise<Message> => {
  const { spec, constraints } = await taskOf(house, root);
  const to = what === 'offer' || what === 'cancel' ? 'turner' : 'works';
  const task = what === 'cancel-root' ? root : child;
  const negotiate = (say: object) => ({ method: 'hca/task/negotiate', params: { offer, parent: root, say } });
  const zero = { usd_micros: 0, tokens: 0, calls: 0, attempts: 0, time_ms: 0 };
  const bodies = {
    offer: { method: 'hca/task/delegate', params: { offer, spec, constraints } },
    accept: negotiate({ answer: 'accept' }),
    reject: negotiate({ answer: 'reject', reason: 'offline', detail: '' }),
    counter: negotiate({ answer: 'counter', budget: constraints.budget, detail: '' }),
    complete: {
      method: 'hca/task/complete',
      params: { offer, parent: root, status: 'completed', artifacts: [], verdict: null, reservations: [], spent: zero },
    },
    escalate: {
      method: 'hca/task/escalate',
      params: {
        offer,
        parent: root,
        escalation: {
          attempts: [],
          reason: 'fault',
          detail: '',
          evidence: [],
          artifact: null,
          signature: 's',
          spent: zero,
          unused_attempts: 0,
        },
      },
    },
    cancel: { method: 'hca/task/cancel', params: { cause: 'a test' } },
    'cancel-root': { method: 'hca/task/cancel', params: { cause: 'a test' } },
  };
  return Message.parse({
    jsonrpc: '2.0',
    id: `${task}:${what}${offer}:${said}`,
    tenant: TENANT,
    from: 'somebody',
    to,
    task,
    root_task: root,
    hop: 0,
    caused_by: 'a test',
    sent_at: 1,
    traceparent: traceOf(root, 'a test'),
    ...bodies[what as keyof typeof bodies],
  });
};

/** As the bus does: a lost race comes again, anything else is a failure of the test. */
const arrive = async (at: Stage, one: Arrival): Promise<void> => {
  const message = await messageOf(at, one);
  const consumer = MESSAGES[message.method as DetailType].consumer ?? 'route';
  for (let attempt = 0; ; attempt += 1) {
    try {
      await callStep(at.house, consumer, { message });
      return;
    } catch (error) {
      if (!(error instanceof HcaFault && error.code === 'HcaConflict' && attempt < 8)) throw error;
    }
  }
};

const batches = fc.array(fc.array(arrival, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 6 });

describe('arrivals', () => {
  it('in any order and side by side make no illegal move, rewrite no outcome and move nothing that is over', async () => {
    const { house, rewritten } = await stillHouse();
    let together = 0;
    const ended = new Set<string>();
    const property = fc.asyncProperty(batches, async (all) => {
      const at = await stage(house);
      for (const batch of all) {
        const before = await taskOf(house, at.child);
        await Promise.all(batch.map((one) => arrive(at, one)));
        together = Math.max(together, batch.length);
        const after = await taskOf(house, at.child);
        if (isTerminal(before.state)) expect(after).toEqual(before);
        ended.add(after.state);
      }
      expect(house.witness.illegal).toEqual([]);
      expect(house.witness.twice).toEqual([]);
      expect(rewritten).toEqual([]);
    });
    await fc.assert(property, { numRuns: 150, seed: 7 });
    await house.close();
    expect(together).toBeGreaterThan(1);
    expect([...ended].toSorted()).toEqual(['agreed', 'cancelled', 'offered']);
  }, 60_000);
});
