// JUDGE: the evaluator checks every criterion itself, in a session of its own, and tells a verdict (L1-REV-02, L1-REV-03, L2-EVL).
import type { ReviewRecord } from '#shared/contracts/task.ts';
import type { Verdict } from '#shared/contracts/verdict.ts';
import { moveReview } from '#shared/domain/lifecycle.ts';
import type { Change, Step } from '../step.ts';
import { inherit } from './inherit.ts';
import type { Judged } from './judged.ts';
import { rerun } from './rerun.ts';

export const judge: Step<'judge'> = async ({ error }, record, ports) => {
  const now = ports.clock.now();
  if (error !== undefined && error.name !== '')
    return told(record, unableVerdict(record, `${error.name}: ${error.cause}`, now));
  const judged = record.mode === 'inherit' ? await inherit(record, ports) : await rerun(record, ports);
  const verdict: Verdict = { ...blank(record, now), ...judged };
  return told(record, verdict);
};

const blank = (record: ReviewRecord, now: number): Omit<Verdict, keyof Judged> => ({
  review: record.id,
  task: record.task,
  iteration: record.iteration,
  producer_holon: record.producer,
  evaluator_holon: record.holon,
  artifacts: record.artifact === null ? [] : [record.artifact],
  judged_at: now,
});

/** It could not judge: never a pass; the producer's side asks another evaluator or escalates (architecture section 7). */
const unableVerdict = (record: ReviewRecord, reason: string, now: number): Verdict => ({
  ...blank(record, now),
  result: 'unable',
  reason: reason.slice(0, 2000),
  criteria: [],
  mode: 'none',
});

const told = (record: ReviewRecord, verdict: Verdict): Change<'judge'> => {
  const judging = moveReview(record.state, 'judging');
  return {
    record: { ...record, state: moveReview(judging, 'told'), verdict, ended_at: verdict.judged_at },
    entry: {
      text: `judges ${record.producer}: ${verdict.result}: ${verdict.reason}`.slice(0, 2000),
      data: {
        through: ['requested', 'judging', 'told'],
        result: verdict.result,
        mode: verdict.mode,
        criteria: verdict.criteria.map(({ criterion, result, reason }) => ({ criterion, result, reason })),
      },
    },
    tell: [{ method: 'hca/review/verdict', to: record.producer, task: record.task, params: { verdict } }],
    output: { word: 'told' },
  };
};
