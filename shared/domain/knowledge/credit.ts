// After the verdict: which lessons helped a task that used them, and which hurt it (L3 use).
import type { Attempt } from '#shared/contracts/escalation.ts';
import type { LessonCredit, LessonUse } from '#shared/contracts/lesson.ts';
import type { TaskRecord } from '#shared/contracts/task.ts';

/** One credit for each lesson that changed a plan of this task, judged by the attempts that followed; none for a task that was not judged. */
export const creditsOf = ({
  used,
  attempts,
  result,
}: Pick<TaskRecord, 'used' | 'attempts' | 'result'>): LessonCredit[] => {
  if (attempts.length === 0) return [];
  const ended = { attempts, accepted: result !== null };
  return [...new Set(used.map(({ lesson }) => lesson))].map((lesson) => {
    const outcomes = used.filter((use) => use.lesson === lesson).map((use) => outcomeOf(use, ended));
    return { lesson, outcome: OUTCOMES.find((outcome) => outcomes.includes(outcome)) ?? 'none' };
  });
};

/** What counts if its effects had several: harm first. */
const OUTCOMES = ['hurt', 'helped', 'none'] as const;

type Ended = { attempts: readonly Attempt[]; accepted: boolean };

/** Promoted: it was right when that alternative passed. Demoted: it was wrong when that one passed after all. */
const outcomeOf = (use: LessonUse, ended: Ended): LessonCredit['outcome'] => {
  const tried = ended.attempts.find(({ alternative }) => alternative === use.alternative);
  const passed = tried !== undefined && ended.accepted && tried === ended.attempts.at(-1);
  if (use.effect === 'promotes') return promoted(tried, passed);
  if (passed) return 'hurt';
  return tried === undefined && ended.accepted ? 'helped' : 'none';
};

const promoted = (tried: Attempt | undefined, passed: boolean): LessonCredit['outcome'] => {
  if (tried === undefined) return 'none';
  return passed ? 'helped' : 'hurt';
};
