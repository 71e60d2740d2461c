// JUDGE: the evaluator checks every criterion itself, in a session of its own, tells a verdict and contributes what it found
// (L1-REV-02, L1-REV-03, L2-EVL, L3-KBC-02).
import type { ReviewRecord } from '#shared/contracts/task.ts';
import type { Verdict } from '#shared/contracts/verdict.ts';
import { extractReviewLesson } from '#shared/domain/knowledge/extract-review.ts';
import { moveReview } from '#shared/domain/lifecycle.ts';
import { domainOf } from '../loop/contribution.ts';
import type { Change, Say, Step } from '../step.ts';
import { inherit } from './inherit.ts';
import type { Judged } from './judged.ts';
import { rerun } from './rerun.ts';

export const judge: Step<'judge'> = async ({ error }, record, ports) => {
  const now = ports.clock.now();
  if (error !== undefined && error.name !== '')
    return told(record, unableVerdict(record, `${error.name}: ${error.cause}`, now), 'general');
  const judged = record.mode === 'inherit' ? await inherit(record, ports) : await rerun(record, ports);
  const verdict: Verdict = { ...blank(record, now), ...judged };
  return told(record, verdict, await domainOf(record, ports));
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

const told = (record: ReviewRecord, verdict: Verdict, domain: string): Change<'judge'> => {
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
    tell: [
      { method: 'hca/review/verdict', to: record.producer, task: record.task, params: { verdict } },
      ...taught(record, verdict, domain),
    ],
    output: { word: 'told' },
  };
};

const taught = (record: ReviewRecord, verdict: Verdict, domain: string): Say[] => {
  const lesson = extractReviewLesson({ record, verdict, domain });
  if (lesson === null) return [];
  const params = { lessons: [lesson], credits: [] };
  return [{ method: 'hca/knowledge/contribute', to: 'knowledge', task: record.task, params }];
};
