// What an evaluator teaches: what a review found, from its side, without knowing how the work was done (L3-CMP-02; requirements section 2).
import type { Lesson } from '#shared/contracts/lesson.ts';
import type { ReviewRecord } from '#shared/contracts/task.ts';
import type { Verdict } from '#shared/contracts/verdict.ts';
import { ZERO } from '../budget.ts';
import { asQuote } from './poison.ts';
import { signatureOf } from './signature.ts';
import { goalTags, normaliseTags } from './tags.ts';

interface Judged {
  record: ReviewRecord;
  verdict: Verdict;
  domain: string;
}

/**
 * A review pattern: what this kind of work fails its review for. Only the first failure of a task teaches; a pass is what the work lesson
 * says already, and later failures are mostly the first one again. Null otherwise, and when nothing was run.
 */
export const extractReviewLesson = ({ record, verdict, domain }: Judged): Lesson | null => {
  const evidence = reviewEvidence(verdict);
  if (evidence.length === 0 || verdict.mode !== 're-run' || !isTelling(verdict)) return null;
  const signature = signatureOf(record);
  const unmet = verdict.criteria.filter(({ result }) => result !== 'met');
  return {
    id: reviewLessonId(record.id),
    version: 1,
    type: 'antipattern',
    task_id: record.task,
    holon: record.holon,
    domain,
    family: record.family,
    tags: normaliseTags([
      record.family,
      'review',
      ...record.criteria.filter(({ goal }) => goal).map(({ id }) => id),
      ...signature.tools,
      ...signature.checks,
      ...goalTags(record.goal),
    ]),
    situation: asQuote(`review of attempt ${record.iteration}: ${record.goal}`).slice(0, 2000),
    advice: `look first at what failed the review: ${unmet.map(({ criterion }) => criterion).join(', ')}`.slice(
      0,
      2000,
    ),
    did_not_work: asQuote(unmet.map(({ criterion, reason }) => `${criterion}: ${reason}`).join('; ')).slice(0, 2000),
    evidence: evidence.slice(0, 32),
    alternatives: { for: [], against: [] },
    signature,
    outcomes: { used: 0, helped: 0, hurt: 0 },
    retrieved: false,
    trust: 'provisional',
    provenance: { origin: 'review', source: record.id },
    group: null,
    contradicts: [],
    spent: ZERO,
    created_at: verdict.judged_at,
    change: { cause: `review:${record.id}`, why: 'contributed by the evaluator', at: verdict.judged_at },
  };
};

/** The one id that a review's lesson may have. */
export const reviewLessonId = (review: string): string => `lesson-${review}`;

/** What the evaluator really ran. */
export const reviewEvidence = (verdict: Verdict): string[] => [
  ...new Set(verdict.criteria.flatMap(({ evidence }) => evidence)),
];

const isTelling = ({ result, iteration }: Verdict): boolean =>
  (result === 'fail' || result === 'partial') && iteration === 1;
