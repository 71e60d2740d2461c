// VERDICT: reads what lies on the wait instead of a pass and asks the loop's rule: accept with reservations, revise, another evaluator, or
// escalate (L2-ITR). A pass goes to Accept directly.
import type { WaitKey } from '#shared/contracts/effects.ts';
import type { EscalationReason } from '#shared/contracts/escalation.ts';
import { PARAMS } from '#shared/contracts/messages.ts';
import type { TaskRecord } from '#shared/contracts/task.ts';
import type { Verdict } from '#shared/contracts/verdict.ts';
import { isSpent } from '#shared/domain/budget.ts';
import { restOf } from '#shared/domain/ledger.ts';
import { afterReview } from '#shared/domain/loop.ts';
import { chooseEvaluator } from '#shared/domain/review.ts';
import type { StepPorts } from '#shared/ports/index.ts';
import { attemptsWith } from '../loop/attempt.ts';
import { hasUntried } from '../loop/untried.ts';
import type { Change, Step } from '../step.ts';

export const verdict: Step<'verdict'> = async (_input, record, ports) => {
  // Review ran out of time before it asked: what lies on an earlier review's wait is not this iteration's verdict.
  if (record.state !== 'reviewing') return unable({ ...record, review: null }, 'nobody was asked', ports);
  const key: WaitKey = { task: record.id, on: record.review ?? '', offer: 0 };
  const closed = { word: 'timeout', by: record.id, body: null };
  const { outcome } = await ports.waits.outcome(record.tenant, key, closed);
  if (outcome?.word !== 'verdict' && outcome?.word !== 'passed')
    return unable(record, `no verdict: ${outcome?.word ?? 'timeout'}`, ports);
  const told = PARAMS['hca/review/verdict'].parse(outcome.body).verdict;
  if (told.result === 'unable') return unable(record, told.reason, ports);
  return judged(record, told, ports);
};

const judged = async (record: TaskRecord, told: Verdict, ports: StepPorts<'verdict'>): Promise<Change<'verdict'>> => {
  const { attempts, attempt } = attemptsWith(record, told);
  const ledger = await ports.ledger.read(record.tenant, record.id);
  const rest = ledger === undefined ? null : restOf(ledger);
  const next = afterReview({
    result: attempt.result === 'pass' || attempt.result === 'partial' ? attempt.result : 'fail',
    iteration: record.iteration,
    retries: record.constraints.retries,
    attemptsLeft: rest?.attempts ?? 0,
    budgetSpent: rest === null || isSpent({ ...rest, attempts: 1 }),
    progress: attempts.slice(1).map(({ progress }) => progress),
    untried: await hasUntried({ ...record, attempts }, ports),
  });
  const failing = next.next === 'escalate' ? { reason: next.reason, detail: told.reason } : null;
  return {
    record: { ...record, verdict: told, attempts, failing },
    entry: {
      text: `verdict of ${told.evaluator_holon}: ${told.result}: ${told.reason}`.slice(0, 2000),
      data: {
        result: told.result,
        next: next.next,
        unmet: attempt.unmet,
        attempt: attempts.length,
        retries: record.constraints.retries,
      },
    },
    output: { word: next.next },
  };
};

/** No verdict is never a pass: another evaluator is asked, and when there is none left, or nothing to pay it with, the task escalates. */
const unable = async (record: TaskRecord, why: string, ports: StepPorts<'verdict'>): Promise<Change<'verdict'>> => {
  const review = record.review === null ? undefined : await ports.tasks.load(record.tenant, record.review);
  const tried = review === undefined ? record.evaluators_tried : [...record.evaluators_tried, review.holon];
  const cards = await ports.holons.all(record.tenant);
  const other = chooseEvaluator({ cards, producer: record.holon, tried });
  const failing = await hopeless(record, other, ports);
  return {
    record: {
      ...record,
      evaluators_tried: tried.slice(-16),
      failing: failing === null ? null : { reason: failing, detail: `nobody could judge: ${why}`.slice(0, 4000) },
    },
    entry: { text: `not judged: ${why}`.slice(0, 2000), data: { tried, next: other } },
    output: { word: failing === null ? 'review' : 'escalate' },
  };
};

const hopeless = async (
  record: TaskRecord,
  other: string | null,
  ports: StepPorts<'verdict'>,
): Promise<EscalationReason | null> => {
  if (record.constraints.deadline <= ports.clock.now()) return 'deadline';
  const ledger = await ports.ledger.read(record.tenant, record.id);
  if (ledger === undefined || isSpent({ ...restOf(ledger), attempts: 1 })) return 'budget_spent'; // L2-ITR-04
  return other === null ? 'no_evaluator' : null;
};
