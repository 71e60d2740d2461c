// What differs between two versions of a lesson, field by field (L3-KBS-03).
import type { Lesson } from '#shared/contracts/lesson.ts';

/** A field that differs, as JSON on both sides. */
export interface Difference {
  field: string;
  before: string;
  after: string;
}

/** Differences, in the order of the fields; version and change differ always and are left out. */
export const compareLessons = (before: Lesson, after: Lesson): Difference[] => {
  const left: Record<string, unknown> = before;
  const right: Record<string, unknown> = after;
  return Object.keys(left)
    .filter((field) => field !== 'version' && field !== 'change')
    .map((field) => ({ field, before: JSON.stringify(left[field]), after: JSON.stringify(right[field]) }))
    .filter((one) => one.before !== one.after);
};
