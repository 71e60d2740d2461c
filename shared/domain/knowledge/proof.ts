// Which of two lessons is better proven: the one that leads where they contradict each other (L3 upkeep).
import { type Lesson, TRUSTS } from '#shared/contracts/lesson.ts';

/** Orders by proof, best first: trust, then helped less hurt, then newer, then id, so that the order is the same everywhere. */
export const byProof = (left: Lesson, right: Lesson): number =>
  TRUSTS.indexOf(right.trust) - TRUSTS.indexOf(left.trust) ||
  balance(right) - balance(left) ||
  right.created_at - left.created_at ||
  left.id.localeCompare(right.id);

/** Whether two lessons speak for and against the same alternative. */
export const isOpposed = (left: Lesson, right: Lesson): boolean =>
  left.alternatives.for.some((name) => right.alternatives.against.includes(name)) ||
  left.alternatives.against.some((name) => right.alternatives.for.includes(name));

const balance = ({ outcomes }: Lesson): number => outcomes.helped - outcomes.hurt;
