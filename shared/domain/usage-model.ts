// What the parts of a task use in the cloud, and what a task of so many parts will cost. Counts are measured: `npm run cost -- --write`.
import { priceOf, UNITS, type Usage } from './rate-card.ts';
import { MEASURED } from './usage-measured.ts';

/** What a task is made of: leaves that work, coordinators above them, children that coordinators have beyond their first, attempts beyond the first. */
export interface TaskShape {
  leaves: number;
  coordinators: number;
  further_children: number;
  revisions: number;
}

/** What a task of this shape uses. */
export const usageOf = ({ leaves, coordinators, further_children, revisions }: TaskShape): Usage => {
  const { leaf, coordinator, further_child, revision, requests } = MEASURED;
  const sum = UNITS.map((unit) => [
    unit,
    leaves * leaf[unit] +
      coordinators * coordinator[unit] +
      further_children * further_child[unit] +
      revisions * revision[unit] +
      requests[unit],
  ]);
  return Object.fromEntries(sum);
};

/** Micro-dollars of a task of this shape, models and sandboxes apart. */
export const estimateOf = (shape: TaskShape): number => Math.round(priceOf(usageOf(shape)));
