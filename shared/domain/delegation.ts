// How a holon judges an offer: accept, reject with a reason, or counter (L2-NEG-01, L2-NEG-02, L2-NEG-03, L2-NEG-05).
import type { Budget } from '#shared/contracts/budget.ts';
import type { HolonCard } from '#shared/contracts/holon.ts';
import type { Constraints, OfferAnswer, RejectReason, TaskSpec } from '#shared/contracts/offer.ts';
import { fits, minus, most, ZERO } from '#shared/domain/budget.ts';

/** What a task costs: tool calls and milliseconds of tool time. */
export interface Cost {
  calls: number;
  time_ms: number;
}

/** `open`: tasks the holon has open; `estimate`: declared by its frozen tools; `past`: median of earlier tasks of the family. */
export interface Offer {
  spec: Pick<TaskSpec, 'family'>;
  constraints: Pick<Constraints, 'budget' | 'deadline'>;
  card: Pick<HolonCard, 'id' | 'state' | 'capacity'>;
  open: number;
  families: readonly string[];
  estimate: Cost | null;
  past: Cost | null;
  missingTools: readonly string[];
  now: number;
}

/** Accept, reject with a reason, or counter with the budget it would need (L2-NEG-01, L2-NEG-02, L2-NEG-03, L2-NEG-05). */
export function judgeOffer(offer: Offer): OfferAnswer {
  const no = whyNot(offer);
  if (no !== null) return { answer: 'reject', reason: no[0], detail: no[1] };
  const { budget } = offer.constraints;
  const needed = most(budget, need(offer));
  if (fits(needed, budget)) return { answer: 'accept' };
  return { answer: 'counter', budget: needed, detail: shortOf(needed, budget) };
}

function whyNot(offer: Offer): [RejectReason, string] | null {
  const { card, spec } = offer;
  if (card.state !== 'ready') return ['offline', `${card.id} is ${card.state} and takes no new tasks.`];
  if (offer.open >= card.capacity)
    return ['no_capacity', `${card.id} has ${offer.open} of ${card.capacity} tasks open.`];
  if (spec.family !== null && !offer.families.includes(spec.family)) return ['no_capability', cannot(offer)];
  if (offer.missingTools.length > 0) return ['missing_tool', `Not available: ${offer.missingTools.join(', ')}.`];
  if (offer.constraints.deadline <= offer.now) return ['deadline_passed', 'The deadline has passed.'];
  return null;
}

const cannot = ({ card, spec, families }: Offer): string =>
  `${card.id} cannot do "${spec.family}"; it can do: ${families.join(', ') || 'nothing'}.`.slice(0, 2000);

/** The larger of what is declared and what it cost before, and at least one attempt, one call and a millisecond: 0 means refuse. */
function need({ estimate, past }: Offer): Budget {
  const calls = Math.max(1, estimate?.calls ?? 0, past?.calls ?? 0);
  const time_ms = Math.max(1, estimate?.time_ms ?? 0, past?.time_ms ?? 0);
  return { ...ZERO, attempts: 1, calls: Math.ceil(calls), time_ms: Math.ceil(time_ms) };
}

function shortOf(needed: Budget, offered: Budget): string {
  const more = minus(needed, offered);
  const parts = [
    more.calls > 0 ? `${needed.calls} calls (offered ${offered.calls})` : '',
    more.attempts > 0 ? `${needed.attempts} attempts (offered ${offered.attempts})` : '',
    more.time_ms > 0 ? `${needed.time_ms} ms (offered ${offered.time_ms})` : '',
  ];
  return `Needs ${parts.filter((part) => part !== '').join(' and ')}.`;
}
