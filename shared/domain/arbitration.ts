// What a parent makes of an outcome of its child (L2-NEG-04, L2-ESC-04; requirements section 3: a parent retries only with something new).
import type { Budget } from '#shared/contracts/budget.ts';
import type { Escalation, EscalationReason } from '#shared/contracts/escalation.ts';
import type { DelegationRecord } from '#shared/contracts/task.ts';
import { add, fits, isSpent, least, minus, most, ZERO } from '#shared/domain/budget.ts';
import { allocate } from '#shared/domain/planning.ts';
import { sameFailure } from '#shared/domain/progress.ts';

/** Rounds after which a delegation is given up whatever happens; a record keeps 16 tries. */
export const MAX_ROUNDS = 12;

/** What Arbitrate decides. `budget` is always the whole budget the child is to have, not the difference. */
export type Decision =
  | { do: 'done' }
  | { do: 'cancelled' }
  | { do: 'reoffer'; budget: Budget; why: string }
  | { do: 'reassign'; to: string; budget: Budget; why: string }
  | { do: 'grant'; budget: Budget; why: string }
  | { do: 'give_up'; why: string };

/** A holon that could take over; `harness` is what it works with, null for a coordinator. */
export interface Sibling {
  id: string;
  harness: string | null;
}

/**
 * `outcome`: the word on the wait, the budget a counter asked for, what an escalation said. `rest`: of the parent's ledger, the child's
 * not closed yet. `siblings`: ready and capable, in order of preference. `harness`: of the holon that was tried. `attemptsLeft`: what the
 * parent still has. `delegation.tried` may or may not hold the present round.
 */
export interface Arbitration {
  delegation: Pick<DelegationRecord, 'child' | 'to' | 'offer' | 'tried' | 'constraints'>;
  outcome: {
    word: string;
    asked: Budget | null;
    escalation: Pick<Escalation, 'reason' | 'signature' | 'spent'> | null;
    detail: string;
  };
  rest: Budget;
  siblings: readonly Sibling[];
  harness: string | null;
  attemptsLeft: number;
}

/** The parent's decision; only ever a retry with something new: budget, an untried holon, another harness. Ends in bounded rounds. */
export function arbitrate(input: Arbitration): Decision {
  const { word, escalation } = input.outcome;
  if (word === 'completed') return { do: 'done' };
  if (word === 'cancelled') return { do: 'cancelled' };
  if (earlier(input).length >= MAX_ROUNDS) return giveUp(`it was tried ${MAX_ROUNDS} times`);
  if (input.attemptsLeft + unspent(input).attempts <= 0) return giveUp('all attempts below the root are spent');
  if (word === 'counter') return afterCounter(input);
  if (word === 'escalate') return afterEscalation(input, escalation?.reason ?? 'fault');
  return afterLoss(input);
}

/** A counter is accepted once for a child, and only if the rest covers what is asked beyond what was offered (L2-NEG-04). */
function afterCounter(input: Arbitration): Decision {
  const { delegation, outcome, rest } = input;
  const offered = delegation.constraints.budget;
  const first = !earlier(input).some((one) => one.child === delegation.child && one.outcome === 'counter');
  if (first && outcome.asked !== null && fits(minus(outcome.asked, offered), rest)) {
    return { do: 'reoffer', budget: most(outcome.asked, offered), why: 'the rest covers what is asked' };
  }
  const why = first ? 'the rest does not cover what is asked' : 'a second counter is not negotiated';
  return reassign(input, untried(input), why) ?? giveUp(why);
}

/** What another budget could change. */
const MONEY: ReadonlySet<EscalationReason> = new Set(['budget_spent', 'no_budget']);
/** What lies in the holon, not in the work: any other capable holon is new. */
const PERSONAL: ReadonlySet<EscalationReason> = new Set(['lost', 'fault', 'no_capability']);
/** What is the same for every holon. */
const COMMON: ReadonlySet<EscalationReason> = new Set(['no_evaluator', 'deadline', 'not_ready']);

/** Deterministic work fails alike with the same harness, so there only another harness is new; the same failure twice ends it. */
function afterEscalation(input: Arbitration, reason: EscalationReason): Decision {
  const failed = `${input.delegation.to} escalated (${reason})`;
  const signature = input.outcome.escalation?.signature ?? '';
  if (earlier(input).some((one) => sameFailure(one.signature, signature)))
    return giveUp(`${failed}, as one before did`);
  if (COMMON.has(reason)) return giveUp(`${failed}, which another holon cannot change`);
  if (MONEY.has(reason)) return moreBudget(input) ?? giveUp(`${failed} and the ledger has no more`);
  const siblings = untried(input).filter((one) => PERSONAL.has(reason) || one.harness !== input.harness);
  return reassign(input, siblings, failed) ?? giveUp(`${failed} and there is nothing new to try`);
}

/** As much as before at most, with a part kept for the parent's own review (as in planning). */
function moreBudget(input: Arbitration): Decision | null {
  const before = input.delegation.constraints.budget;
  const budget = least(before, allocate(add(input.rest, unspent(input)), { children: 1 }).work);
  return isSpent(budget, before) ? null : { do: 'grant', budget, why: 'the ledger has more' };
}

/** Rejected, lost, timed out or closed: nothing was found out about the work, so every untried holon is new. */
function afterLoss(input: Arbitration): Decision {
  const why = `${input.delegation.to}: ${input.outcome.word}`;
  if (input.outcome.word === 'no_budget') return giveUp('the grant was refused, which is final');
  return reassign(input, untried(input), why) ?? giveUp(`${why}, and no other holon is left`);
}

/** What comes back when the child's ledger is closed: all but what it says it spent; without a word from it, the ledger will tell. */
function unspent({ delegation, outcome }: Arbitration): Budget {
  return minus(delegation.constraints.budget, outcome.escalation?.spent ?? ZERO);
}

const earlier = ({ delegation }: Arbitration): DelegationRecord['tried'] =>
  delegation.tried.filter((one) => one.child !== delegation.child || one.offer !== delegation.offer);

const untried = ({ siblings, delegation }: Arbitration): Sibling[] =>
  siblings.filter(({ id }) => id !== delegation.to && delegation.tried.every((one) => one.holon !== id));

function reassign(input: Arbitration, siblings: readonly Sibling[], why: string): Decision | null {
  const before = input.delegation.constraints.budget;
  const budget = least(before, add(input.rest, unspent(input)));
  const [first] = siblings;
  return first === undefined || isSpent(budget, before) ? null : { do: 'reassign', to: first.id, budget, why };
}

const giveUp = (why: string): Decision => ({ do: 'give_up', why });
