// Planning: who does what, what each part of a task may use, and by when (L2-PLN-03, L1-DEL-01, L1-DEL-03; requirements section 8;
// architecture section 3, Timeouts).
import type { Budget } from '#shared/contracts/budget.ts';
import type { HolonCard } from '#shared/contracts/holon.ts';
import type { Constraints } from '#shared/contracts/offer.ts';
import type { Policy } from '#shared/contracts/policy.ts';
import { least, minus, share } from '#shared/domain/budget.ts';
import { type Able, fewest } from '#shared/domain/cover.ts';
import { childrenOf, familiesOf } from '#shared/domain/holarchy.ts';
import { narrowPolicy } from '#shared/domain/policy.ts';

/** A fifth is kept for reviews, revisions of a counter and reassignments; at least 1 where there are 2 or more. */
const KEPT = 5;

/** Kept of the time that is left, for arbitrate, collect, review and compound: a tenth, and never less than a second. */
const KEPT_TIME = 10;
const LEAST_KEPT_MS = 1000;

/** One part of a goal: the task family it belongs to and the ids of the criteria that cover it. */
export interface Need {
  family: string;
  criteria: readonly string[];
  goal: string;
}

/** A part and the child that is to do it. */
export interface ChosenChild {
  holon: string;
  family: string;
  goal: string;
  criteria: string[];
}

/**
 * The fewest ready children of `me` that can see to every family, alone or by delegating; ties go to the first in the file.
 * One entry for each need that can be seen to; `missing`: families that none can.
 */
export function chooseChildren(input: { cards: readonly HolonCard[]; me: string; needs: readonly Need[] }): {
  children: ChosenChild[];
  missing: string[];
} {
  const wanted = [...new Set(input.needs.map((need) => need.family))];
  const able = ableChildren(input.cards, input.me, wanted);
  const missing = wanted.filter((family) => !able.some((child) => child.families.includes(family)));
  const covered = wanted.filter((family) => !missing.includes(family));
  const chosen = fewest(able, covered);
  const children = input.needs.flatMap((need) => {
    const child = chosen.find((one) => one.families.includes(need.family));
    return child === undefined ? [] : [{ ...need, criteria: [...need.criteria], holon: child.holon }];
  });
  return { children, missing };
}

/**
 * Splits a budget: `review` is kept by the task, `work` is for the work, and `each` is `work` shared by the children (none for a leaf).
 * `review` and all of `each` together never exceed the budget. A leaf's attempts are all for its work; a coordinator keeps one for itself.
 */
export function allocate(
  budget: Budget,
  { children }: { children: number },
): { work: Budget; review: Budget; each: Budget[] } {
  const review = {
    usd_micros: kept(budget.usd_micros),
    tokens: kept(budget.tokens),
    calls: kept(budget.calls),
    attempts: children > 0 && budget.attempts > 1 ? 1 : 0,
    time_ms: kept(budget.time_ms),
  };
  const work = minus(budget, review);
  return { work, review, each: share(work, children) };
}

/** Deadline of the next of `parts` waves that run one after the other: never after the parent's own minus what it keeps. Milliseconds. */
export function childDeadline(parentDeadline: number, now: number, parts: number): number {
  const left = Math.max(0, parentDeadline - now);
  const usable = Math.max(0, left - Math.max(LEAST_KEPT_MS, Math.ceil(left / KEPT_TIME)));
  return Math.min(parentDeadline, now + Math.floor(usable / Math.max(1, parts)));
}

/** What a child is held to: nothing wider than its parent's, and no more retries than its budget has attempts. */
export function childConstraints(
  parent: Constraints,
  child: { budget: Budget; deadline: number; policy?: Policy },
): Constraints {
  const budget = least(child.budget, parent.budget);
  return {
    budget,
    retries: Math.max(1, Math.min(parent.retries, budget.attempts)),
    deadline: Math.min(child.deadline, parent.deadline),
    policy: child.policy === undefined ? parent.policy : narrowPolicy(parent.policy, child.policy),
  };
}

const kept = (amount: number): number => (amount < 2 ? 0 : Math.max(1, Math.floor(amount / KEPT)));

interface Child extends Able {
  holon: string;
}

/** Only what is ready counts, on every level: a domain whose one capable leaf is offline can do nothing. */
function ableChildren(cards: readonly HolonCard[], me: string, wanted: readonly string[]): Child[] {
  const ready = cards.filter((card) => card.state === 'ready' || card.id === me);
  const able = childrenOf(ready, me).map((child) => {
    const families = child.role === 'leaf' || !child.can_delegate ? child.families : familiesOf(ready, child.id);
    return { holon: child.id, families: families.filter((family) => wanted.includes(family)) };
  });
  const first = new Map<string, Child>();
  for (const child of able.filter((one) => one.families.length > 0)) {
    const key = JSON.stringify([...child.families].sort());
    if (!first.has(key)) first.set(key, child);
  }
  return [...first.values()];
}
