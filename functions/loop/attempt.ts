// What a verdict makes of an iteration: one more attempt in the task's history (L2-ITR-01, L2-ESC-01).
import type { Attempt } from '#shared/contracts/escalation.ts';
import type { TaskRecord } from '#shared/contracts/task.ts';
import type { Verdict } from '#shared/contracts/verdict.ts';
import { failureSignature, measureProgress } from '#shared/domain/progress.ts';

/** The attempts with this iteration's added, oldest first; a verdict that is told again counts once. */
export const attemptsWith = (record: TaskRecord, told: Verdict): { attempts: Attempt[]; attempt: Attempt } => {
  const before = earlier(record);
  const attempt = attemptOf(record, told, before.at(-1));
  return { attempts: [...before, attempt], attempt };
};

/** Without this iteration's own: a new generation of the machine may have it judged again. */
const earlier = ({ attempts, iteration }: TaskRecord): Attempt[] =>
  attempts.filter((attempt) => attempt.iteration !== iteration);

const attemptOf = (record: TaskRecord, told: Verdict, before: Attempt | undefined): Attempt => {
  const unmet = told.criteria
    .filter(({ result }) => result !== 'met')
    .map(({ criterion, reason }) => `${criterion}: ${reason}`.slice(0, 500));
  return {
    iteration: record.iteration,
    alternative: record.plan?.leaf?.alternative ?? 'delegate',
    artifact: record.artifact,
    result: told.result,
    unmet,
    reason: told.reason,
    signature: failureSignature({ reason: told.result, unmet, detail: '' }),
    progress: before === undefined ? 0 : measureProgress({ unmet: before.unmet }, { unmet }),
    evidence: told.criteria.flatMap(({ evidence }) => evidence).slice(0, 64),
  };
};
