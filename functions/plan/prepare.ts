// What every plan needs: the card, what was understood of the goal, the evaluator and what is left of the budget.
import type { Budget } from '#shared/contracts/budget.ts';
import type { HolonCard } from '#shared/contracts/holon.ts';
import type { TaskRecord } from '#shared/contracts/task.ts';
import { familiesOf } from '#shared/domain/holarchy.ts';
import { restOf } from '#shared/domain/ledger.ts';
import { chooseEvaluator } from '#shared/domain/review.ts';
import type { StepPorts } from '#shared/ports/index.ts';
import { type Understanding, understand } from '../loop/understand.ts';
import type { Hopeless } from './give-up.ts';

export interface Prepared {
  card: HolonCard;
  cards: HolonCard[];
  understood: Understanding;
  evaluator: string;
  rest: Budget;
}

/** Gathers it, or says why there can be no plan: nobody to review, no attempt left, no time left. */
export const prepare = async (record: TaskRecord, ports: StepPorts<'plan'>): Promise<Prepared | Hopeless> => {
  const cards = await ports.holons.all(record.tenant);
  const card = cards.find(({ id }) => id === record.holon);
  if (card === undefined) return { reason: 'lost', detail: `holon ${record.holon} is no longer in the holarchy` };
  const evaluator = chooseEvaluator({ cards, producer: card.id, tried: [] });
  if (evaluator === null)
    return {
      reason: 'no_evaluator',
      detail: `no other holon than ${card.id} can review; add one with "evaluates: true"`,
    };
  const ledger = await ports.ledger.read(record.tenant, record.id);
  if (ledger === undefined) return { reason: 'no_budget', detail: 'the task has no ledger' };
  const rest = restOf(ledger);
  const spent = spentReason(record, rest, ports.clock.now());
  if (spent !== null) return spent;
  const packages = await ports.profiles.all();
  const understood = await understand({ spec: record.spec, packages, families: familiesOf(cards, card.id) }, ports);
  return { card, cards, understood, evaluator, rest };
};

const spentReason = (record: TaskRecord, rest: Budget, now: number): Hopeless | null => {
  if (now >= record.constraints.deadline) return { reason: 'deadline', detail: 'the deadline has passed' };
  if (rest.attempts < 1) return { reason: 'budget_spent', detail: 'no attempt is left below this root' };
  if (rest.calls < 1 || rest.time_ms < 1)
    return { reason: 'budget_spent', detail: `left: ${rest.calls} calls, ${rest.time_ms} ms` };
  return null;
};
