// What a coordinator's goal needs, by family; what is done again after a conflict; and what a family cost before (L2-PLN-03, L2-NEG-03).
import type { Criterion } from '#shared/contracts/criterion.ts';
import type { Lesson } from '#shared/contracts/lesson.ts';
import type { ChildPlan } from '#shared/contracts/plan.ts';
import type { Cost } from './delegation.ts';
import type { GoalClause } from './harness/goal.ts';
import type { Need } from './planning.ts';

/** One need for each family that a clause asks for; guards and limits go with every one of them. */
export const needsOf = (task: {
  goal: string;
  family: string | null;
  clauses: readonly GoalClause[];
  criteria: readonly Criterion[];
}): Need[] => {
  const asking = task.clauses.filter((clause) => clause.family !== null && !clause.side);
  const families = [...new Set(asking.map((clause) => clause.family ?? ''))];
  if (task.family !== null || families.length <= 1) {
    const family = task.family ?? families[0] ?? '';
    return [{ family, goal: task.goal, criteria: task.criteria.map(({ id }) => id) }];
  }
  const limits = task.clauses.filter((clause) => clause.side);
  return families.map((family) => {
    const own = [...asking.filter((clause) => clause.family === family), ...limits].map(({ text }) => text);
    const criteria = task.criteria.filter(({ clause }) => clause === null || own.includes(clause)).map(({ id }) => id);
    return { family, goal: own.join(', '), criteria };
  });
};

/** The last side of a conflict is done again, in a slot of its own, on top of the others. Empty when there is nobody to ask. */
export const resolveConflict = (wave: readonly ChildPlan[], all: readonly ChildPlan[]): ChildPlan[] => {
  const last = wave.at(-1);
  if (last === undefined || wave.length < 2) return [];
  return [{ ...last, slot: Math.max(...all.map(({ slot }) => slot)) + 1 }];
};

/** Median cost of earlier tasks of a family in one holon; null below three, when there is too little to go by. */
export const pastCost = (lessons: readonly Lesson[]): Cost | null => {
  if (lessons.length < 3) return null;
  return {
    calls: median(lessons.map(({ spent }) => spent.calls)),
    time_ms: median(lessons.map(({ spent }) => spent.time_ms)),
  };
};

const median = (numbers: readonly number[]): number =>
  [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
