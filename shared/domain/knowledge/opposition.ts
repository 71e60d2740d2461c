// Where lessons that contradict each other meet: keys made of what failed and of the alternative they speak for or against, so that finding
// them costs the same however many lessons there are (L3 upkeep).
import type { Lesson } from '#shared/contracts/lesson.ts';
import { isOpposed } from './proof.ts';
import { isSameSituation } from './signature.ts';

/** Failures that make keys: the same situation shares half of them, so one that was left out is no loss. */
const MOST_FAILURES = 12;

/** Keys under which a lesson stands, and those under which its opposites do. Empty for a lesson without situation or alternatives. */
export const meetingKeys = (lesson: Lesson): { own: string[]; opposite: string[] } => {
  const { alternatives } = lesson;
  const praise = alternatives.for.flatMap((name) => keysOf(lesson, `+${name}`));
  const blame = alternatives.against.flatMap((name) => keysOf(lesson, `-${name}`));
  const unpraise = alternatives.for.flatMap((name) => keysOf(lesson, `-${name}`));
  const unblame = alternatives.against.flatMap((name) => keysOf(lesson, `+${name}`));
  return { own: [...praise, ...blame], opposite: [...unpraise, ...unblame] };
};

/** Whether two lessons say the opposite of the same situation. */
export const isContradiction = (left: Lesson, right: Lesson): boolean =>
  left.signature !== null &&
  right.signature !== null &&
  left.id !== right.id &&
  isSameSituation(left.signature, right.signature) &&
  isOpposed(left, right);

const keysOf = ({ signature, family }: Lesson, said: string): string[] => {
  if (signature === null) return [];
  const failures = signature.failures.length === 0 ? [''] : signature.failures.slice(0, MOST_FAILURES);
  return failures.map(
    (failure) => `says:${[family, signature.checks.join('+'), failure, said].map(encodeURIComponent).join('|')}`,
  );
};
