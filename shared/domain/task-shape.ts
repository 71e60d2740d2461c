// How many holons a goal would keep busy: leaves, and coordinators above them with their children (L2-PLN).
import type { HolonCard } from '#shared/contracts/holon.ts';
import { chooseChildren, type Need } from './planning.ts';
import type { TaskShape } from './usage-model.ts';

/** The shape of a task that `me` is given; each child sees to its own part alone. */
export const shapeOf = (cards: readonly HolonCard[], me: string, needs: readonly Need[]): TaskShape => {
  const { children } = chooseChildren({ cards, me, needs });
  if (children.length === 0) return { leaves: 1, coordinators: 0, further_children: 0, revisions: 0 };
  const start = { leaves: 0, coordinators: 1, further_children: children.length - 1, revisions: 0 };
  return children.map((child) => shapeOf(cards, child.holon, [child])).reduce(joined, start);
};

const joined = (a: TaskShape, b: TaskShape): TaskShape => ({
  leaves: a.leaves + b.leaves,
  coordinators: a.coordinators + b.coordinators,
  further_children: a.further_children + b.further_children,
  revisions: a.revisions + b.revisions,
});
