// What a parent decides about a child that did not complete; always something new, always an end (L2-NEG-04, L2-ESC-04).
import { describe, expect, it } from 'vitest';
import type { EscalationReason } from '#shared/contracts/escalation.ts';
import { Policy } from '#shared/contracts/policy.ts';
import type { Tried } from '#shared/contracts/task.ts';
import { type Arbitration, arbitrate, MAX_ROUNDS } from '#shared/domain/arbitration.ts';
import { ZERO } from '#shared/domain/budget.ts';
import { budget } from './samples.ts';

const outcome = (word: string, more: Partial<Arbitration['outcome']> = {}): Arbitration['outcome'] => ({
  word,
  asked: null,
  escalation: null,
  detail: '',
  ...more,
});

const escalated = (reason: EscalationReason, signature = `${reason}:1`, spent = budget(4)): Arbitration['outcome'] =>
  outcome('escalate', { escalation: { reason, signature, spent } });

const tried = (more: Partial<Tried> = {}): Tried => ({
  child: 'child-0',
  holon: 'first',
  offer: 1,
  outcome: 'escalate',
  signature: 'x:1',
  budget_asked: false,
  detail: '',
  ...more,
});

const asked = (over: Partial<Arbitration> = {}, past: Tried[] = []): Arbitration => ({
  delegation: {
    child: 'child-1',
    to: 'developer',
    offer: 1,
    tried: past,
    constraints: { budget: budget(10), retries: 3, deadline: 1000, policy: Policy.parse({}) },
  },
  outcome: outcome('completed'),
  rest: budget(20),
  siblings: [],
  harness: 'code-fix',
  attemptsLeft: 5,
  ...over,
});

const twin = { id: 'twin', harness: 'code-fix' };
const other = { id: 'other', harness: 'refactor' };

describe('arbitrate', () => {
  it('is done when the child completed, and cancelled when it was', () => {
    expect(arbitrate(asked())).toEqual({ do: 'done' });
    expect(arbitrate(asked({ outcome: outcome('cancelled') }))).toEqual({ do: 'cancelled' });
  });

  it('accepts a counter once, if the rest covers what is asked beyond the offer (L2-NEG-04)', () => {
    const counter = outcome('counter', { asked: budget(30) });
    expect(arbitrate(asked({ outcome: counter }))).toMatchObject({ do: 'reoffer', budget: budget(30) });
    expect(arbitrate(asked({ outcome: counter, rest: budget(19) }))).toMatchObject({ do: 'give_up' });
    expect(arbitrate(asked({ outcome: counter, rest: budget(19), siblings: [twin] }))).toMatchObject({
      do: 'reassign',
      to: 'twin',
    });
    const before = tried({ child: 'child-1', holon: 'developer', outcome: 'counter', signature: 'counter' });
    const second = asked({ outcome: counter }, [before]);
    expect(arbitrate({ ...second, delegation: { ...second.delegation, offer: 2 } })).toMatchObject({ do: 'give_up' });
  });

  it.each(['reject', 'lost', 'timeout', 'closed'])('takes any untried holon after "%s", else gives up', (word) => {
    const past = [tried({ holon: 'twin' })];
    expect(arbitrate(asked({ outcome: outcome(word), siblings: [twin] }))).toMatchObject({
      do: 'reassign',
      to: 'twin',
    });
    expect(arbitrate(asked({ outcome: outcome(word), siblings: [twin] }, past))).toMatchObject({ do: 'give_up' });
  });

  it('takes a refused grant as final', () => {
    expect(arbitrate(asked({ outcome: outcome('no_budget'), siblings: [other] }))).toMatchObject({ do: 'give_up' });
  });

  it.each<EscalationReason>(['attempts_spent', 'no_alternative', 'no_progress', 'child_failed', 'conflict'])(
    'knows that the same harness fails alike after %s',
    (reason) => {
      expect(arbitrate(asked({ outcome: escalated(reason), siblings: [twin] }))).toMatchObject({ do: 'give_up' });
      expect(arbitrate(asked({ outcome: escalated(reason), siblings: [twin, other] }))).toMatchObject({
        do: 'reassign',
        to: 'other',
      });
    },
  );

  it('gives more budget if the ledger has it, and keeps a part to review with', () => {
    const spent = escalated('budget_spent', 'budget_spent:1', budget(10));
    expect(arbitrate(asked({ outcome: spent }))).toMatchObject({ do: 'grant', budget: budget(10) });
    expect(arbitrate(asked({ outcome: spent, rest: budget(5) }))).toMatchObject({ do: 'grant', budget: budget(4) });
    expect(arbitrate(asked({ outcome: spent, rest: ZERO, siblings: [twin, other] }))).toMatchObject({ do: 'give_up' });
  });

  it('gives up at once when the failure is one that was seen before', () => {
    const again = { outcome: escalated('budget_spent', 'x:1'), siblings: [other] };
    expect(arbitrate(asked(again))).toMatchObject({ do: 'grant' });
    expect(arbitrate(asked(again, [tried()]))).toMatchObject({ do: 'give_up' });
  });

  it(`gives up after ${MAX_ROUNDS} earlier rounds, however new the failure is`, () => {
    const rounds = (count: number) =>
      Array.from({ length: count }, (_, at) => tried({ child: `old-${at}`, signature: `s:${at}` }));
    const again = { outcome: escalated('budget_spent') };
    expect(arbitrate(asked(again, rounds(MAX_ROUNDS - 1)))).toMatchObject({ do: 'grant' });
    expect(arbitrate(asked(again, rounds(MAX_ROUNDS)))).toMatchObject({ do: 'give_up' });
  });

  it('stops when nothing is left below the root', () => {
    const spent = escalated('no_alternative', 'x:2', budget(10));
    expect(arbitrate(asked({ outcome: spent, siblings: [other], attemptsLeft: 0 }))).toMatchObject({ do: 'give_up' });
    const rejected = asked({ outcome: outcome('reject'), siblings: [other], attemptsLeft: 0 });
    expect(arbitrate(rejected)).toMatchObject({ do: 'reassign' });
  });
});
