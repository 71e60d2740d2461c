// ACCEPT: a pass is accepted as it lies on the wait, a partial verdict as Verdict recorded it, with what it left open as reservations (L1-REV-01).
import type { WaitKey } from '#shared/contracts/effects.ts';
import { HcaFault } from '#shared/contracts/errors.ts';
import { PARAMS } from '#shared/contracts/messages.ts';
import type { TaskRecord } from '#shared/contracts/task.ts';
import type { Verdict } from '#shared/contracts/verdict.ts';
import { moveTask } from '#shared/domain/lifecycle.ts';
import type { StepPorts } from '#shared/ports/index.ts';
import { attemptsWith } from '../loop/attempt.ts';
import type { Step } from '../step.ts';

export const accept: Step<'accept'> = async (_input, record, ports) => {
  const verdict = await verdictOf(record, ports);
  const { attempts, attempt } = attemptsWith(record, verdict);
  const result = { artifact: record.artifact, patch: record.patch, verdict, reservations: attempt.unmet };
  const open = attempt.unmet.length === 0 ? 'accepted' : `accepted with ${attempt.unmet.length} reservation(s)`;
  return {
    record: { ...record, state: moveTask(record.state, 'accepting'), verdict, attempts, failing: null, result },
    entry: {
      text: `${open}: ${verdict.evaluator_holon}: ${verdict.reason}`.slice(0, 2000),
      data: {
        result: verdict.result,
        artifact: record.artifact,
        evaluator: verdict.evaluator_holon,
        reservations: attempt.unmet,
        attempt: attempts.length,
        retries: record.constraints.retries,
      },
    },
    output: { word: 'compound' },
  };
};

/**
 * The verdict on this iteration: what Verdict has just decided to accept, else the pass on the wait. A recorded verdict alone is none: of a new
 * generation's review that was not asked yet, the record still holds the last one, which may have failed.
 */
const verdictOf = async (record: TaskRecord, ports: StepPorts<'accept'>): Promise<Verdict> => {
  const { verdict } = record;
  if (verdict !== null && isDecided(record)) return verdict;
  const key: WaitKey = { task: record.id, on: record.review ?? '', offer: 0 };
  const outcome = (await ports.waits.read(record.tenant, key))?.outcome;
  if (outcome?.word !== 'passed') throw unpassed(record, outcome?.word ?? 'timeout');
  return PARAMS['hca/review/verdict'].parse(outcome.body).verdict;
};

const isDecided = ({ last }: TaskRecord): boolean => last?.step === 'verdict' && last.output.word === 'accept';

/** Whoever resolved the token by hand is no evaluator: the machine asks Verdict. */
const unpassed = ({ id }: TaskRecord, word: string): HcaFault =>
  new HcaFault('HcaUnsettled', { message: `the review of ${id} has no pass: ${word}` });
