// After the verdict: which lessons helped a task that used them, and which hurt it (L3 use).
import type { Attempt } from '#shared/contracts/escalation.ts';
import type { LessonCredit, LessonUse } from '#shared/contracts/lesson.ts';
import type { TaskRecord } from '#shared/contracts/task.ts';

/** What one message holds. */
const MOST = 64;
/** Cited lessons that are told of beside those that were used. */
const SEEN = 16;

/**
 * One credit for each lesson that changed a plan of this task, judged by the attempts that followed, and one that says no more than that it was
 * found for each other one that the plan cites; none for a task that was not judged.
 */
export const creditsOf = ({
  used,
  attempts,
  result,
  plan,
}: Pick<TaskRecord, 'used' | 'attempts' | 'result' | 'plan'>): LessonCredit[] => {
  if (attempts.length === 0) return [];
  const seen = (plan?.lessons ?? []).filter((id) => used.every(({ lesson }) => lesson !== id)).slice(0, SEEN);
  const ended = { attempts, accepted: result !== null };
  const judged = [...new Set(used.map(({ lesson }) => lesson))].map((lesson): LessonCredit => {
    const outcomes = used.filter((use) => use.lesson === lesson).map((use) => outcomeOf(use, ended));
    return { lesson, outcome: OUTCOMES.find((outcome) => outcomes.includes(outcome)) ?? 'none' };
  });
  return [...judged, ...seen.map((lesson) => ({ lesson, outcome: 'seen' as const }))].slice(0, MOST);
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
