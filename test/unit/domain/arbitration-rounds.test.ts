// Whatever children do, a delegation ends in bounded rounds and within its budget (L2-NEG-04, L2-ESC-04; pitfall 1).
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Ledger } from '#shared/contracts/budget.ts';
import { EscalationReason } from '#shared/contracts/escalation.ts';
import { Policy } from '#shared/contracts/policy.ts';
import { type Arbitration, arbitrate, type Decision, MAX_ROUNDS } from '#shared/domain/arbitration.ts';
import { add, fits, least, ZERO } from '#shared/domain/budget.ts';
import { openLedger, restOf, spend } from '#shared/domain/ledger.ts';
import { closeInto, grantInto, type LedgerPair } from '#shared/domain/ledger-pair.ts';
import { anyBudget, budget, holds } from './samples.ts';

const behaviour = fc.record({
  word: fc.constantFrom(
    'counter',
    'counter',
    'reject',
    'escalate',
    'escalate',
    'lost',
    'timeout',
    'closed',
    'completed',
  ),
  more: anyBudget(30),
  reason: fc.constantFrom(...EscalationReason.options),
  signature: fc.constantFrom('a:1', 'b:1', 'c:1', 'd:1', 'e:1', ''),
});
type Behaviour = typeof behaviour extends fc.Arbitrary<infer B> ? B : never;

type Delegation = Arbitration['delegation'];

interface Run {
  delegation: Delegation;
  siblings: Arbitration['siblings'];
  parent: Ledger;
  child: Ledger | undefined;
  n: number;
}

const start = (siblings: Arbitration['siblings'], parent: Ledger): Run => ({
  delegation: {
    child: 'child-1',
    to: 'developer',
    offer: 1,
    tried: [],
    constraints: { budget: budget(10), retries: 3, deadline: 1000, policy: Policy.parse({}) },
  },
  siblings,
  parent,
  child: undefined,
  n: 1,
});

/** What the child says, having spent what it could of what it wanted. */
const said = ({ delegation }: Run, does: Behaviour, spent: Arbitration['rest']): Arbitration['outcome'] => ({
  word: does.word,
  asked: does.word === 'counter' ? add(delegation.constraints.budget, does.more) : null,
  escalation: does.word === 'escalate' ? { reason: does.reason, signature: does.signature, spent } : null,
  detail: '',
});

/** One round as the steps do it: grant, behave, decide, and close the child's ledger unless it is offered again. */
const round = (run: Run, does: Behaviour): { run: Run; decision: Decision } => {
  const { delegation } = run;
  const key = `${delegation.child}#${delegation.offer}`;
  const pair = grantInto(run, { child: delegation.child, key, amount: delegation.constraints.budget });
  const works = pair.granted && does.word !== 'counter';
  const spent = works && pair.child !== undefined ? least(does.more, restOf(pair.child)) : ZERO;
  const child = pair.child === undefined ? undefined : (spend(pair.child, 'work', spent) ?? pair.child);
  const refused = { word: 'no_budget', asked: null, escalation: null, detail: '' };
  const outcome = pair.granted ? said(run, does, spent) : refused;
  const rest = restOf(pair.parent);
  const { siblings } = run;
  const decision = arbitrate({ delegation, outcome, rest, siblings, harness: 'code-fix', attemptsLeft: rest.attempts });
  return { decision, run: follow({ ...run, parent: pair.parent, child }, decision, outcome) };
};

const follow = (run: Run, decision: Decision, outcome: Arbitration['outcome']): Run => {
  const { child, to, offer, tried, constraints } = run.delegation;
  const signature = outcome.escalation?.signature ?? outcome.word;
  const entry = {
    child,
    holon: to,
    offer,
    outcome: outcome.word,
    signature,
    budget_asked: outcome.asked !== null,
    detail: '',
  };
  const budgeted = 'budget' in decision ? { ...constraints, budget: decision.budget } : constraints;
  const next = { ...run.delegation, tried: [...tried, entry], constraints: budgeted };
  if (decision.do === 'reoffer') return { ...run, delegation: { ...next, offer: offer + 1 } };
  const closed: LedgerPair = closeInto(run, child);
  const moved = decision.do === 'reassign' ? decision.to : to;
  const delegation = { ...next, child: `child-${run.n + 1}`, offer: 1, to: moved };
  return { ...run, parent: closed.parent, child: undefined, n: run.n + 1, delegation };
};

const isOver = (decision: Decision): boolean => !['reoffer', 'reassign', 'grant'].includes(decision.do);

/** A retry without anything new would be a loop. */
const isNew = (before: Delegation, decision: Decision): boolean => {
  if (decision.do === 'reoffer') return before.tried.every((one) => one.child !== before.child);
  if (decision.do === 'reassign')
    return [before, ...before.tried.map((one) => ({ to: one.holon }))].every((one) => one.to !== decision.to);
  return true;
};

it('a delegation is over in bounded rounds, each retry has something new, and the budget is never overspent', () => {
  const sibling = fc.record({
    id: fc.constantFrom('s1', 's2', 's3', 's4', 's5'),
    harness: fc.option(fc.constantFrom('code-fix', 'refactor')),
  });
  const siblings = fc.uniqueArray(sibling, { selector: (one) => one.id });
  const behaviours = fc.array(behaviour, { minLength: MAX_ROUNDS + 1, maxLength: MAX_ROUNDS + 1 });
  const reached = new Map<string, number>();
  holds(
    fc.property(behaviours, siblings, anyBudget(200), (all, others, granted) => {
      let run = start(others, openLedger('p', granted));
      const over = all.some((does) => {
        const before = run.delegation;
        const { run: after, decision } = round(run, does);
        run = after;
        reached.set(decision.do, (reached.get(decision.do) ?? 0) + 1);
        expect(fits(add(after.parent.committed, after.parent.granted_to_children), granted)).toBe(true);
        expect(isNew(before, decision)).toBe(true);
        return isOver(decision);
      });
      expect(over).toBe(true);
    }),
    1000,
  );
  expect([...reached.keys()].toSorted()).toEqual(['done', 'give_up', 'grant', 'reassign', 'reoffer']);
});
