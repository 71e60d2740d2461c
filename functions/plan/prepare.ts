// What every plan needs: the card, what was understood of the goal, the evaluator and what is left of the budget.
import type { Budget } from '#shared/contracts/budget.ts';
import type { HolonCard } from '#shared/contracts/holon.ts';
import type { TaskRecord } from '#shared/contracts/task.ts';
import { familiesOf } from '#shared/domain/holarchy.ts';
import { restOf } from '#shared/domain/ledger.ts';
import { chooseEvaluator } from '#shared/domain/review.ts';
import type { StepPorts } from '#shared/ports/index.ts';
import { type Understanding, understandIfCovered } from '../loop/understand.ts';
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
  const understood = await understanding(record, familiesOf(cards, card.id), ports);
  return 'reason' in understood ? understood : { card, cards, understood, evaluator, rest };
};

/**
 * Harness packages may change while a task runs. What it is measured by does not: the criteria of its first plan stay. And what was covered when the
 * root took the task on must still be, else it would be done by half; below the root the criteria come with the task.
 */
const understanding = async (
  record: TaskRecord,
  families: string[],
  ports: StepPorts<'plan'>,
): Promise<Understanding | Hopeless> => {
  const packages = await ports.profiles.all();
  const understood = await understandIfCovered({ spec: record.spec, packages, families }, ports);
  if (understood === null) return uncovered(record.spec.family ?? record.spec.goal);
  if (record.plan !== null) return { ...understood, criteria: record.plan.criteria };
  const [missing] = understood.reading.uncovered;
  return record.parent === null && missing !== undefined ? uncovered(missing) : understood;
};

const uncovered = (what: string): Hopeless => ({
  reason: 'no_capability',
  detail: `no harness package covers "${what.slice(0, 500)}" any more: the packages or the holarchy were changed since the task was taken on; hca harness list shows them`,
});

const spentReason = (record: TaskRecord, rest: Budget, now: number): Hopeless | null => {
  if (now >= record.constraints.deadline) return { reason: 'deadline', detail: 'the deadline has passed' };
  if (rest.attempts < 1) return { reason: 'budget_spent', detail: 'no attempt is left below this root' };
  if (rest.calls < 1 || rest.time_ms < 1)
    return { reason: 'budget_spent', detail: `left: ${rest.calls} calls, ${rest.time_ms} ms` };
  return null;
};
