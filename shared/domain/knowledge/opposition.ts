// Where lessons that contradict each other meet: keys made of what failed and of the alternative they speak for or against, so that finding
// them costs the same however many lessons there are (L3 upkeep).
import type { Lesson } from '#shared/contracts/lesson.ts';
import { isOpposed } from './proof.ts';
import { isSameSituation } from './signature.ts';
import { hash32 } from './sketch.ts';

/**
 * Failures that make keys, those with the least hash: lists that share half of what they name share one of these, nearly always. With one
 * alternative praised and 16 blamed that is 17 * 5 = 85 keys, what one transaction of a table with 100 writes takes.
 */
const MOST_FAILURES = 5;

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
  const failures = signature.failures.length === 0 ? [''] : leastOf(signature.failures);
  return failures.map(
    (failure) => `says:${[family, signature.checks.join('+'), failure, said].map(encodeURIComponent).join('|')}`,
  );
};

const leastOf = (failures: readonly string[]): string[] =>
  failures.toSorted((a, b) => hash32(a) - hash32(b)).slice(0, MOST_FAILURES);
