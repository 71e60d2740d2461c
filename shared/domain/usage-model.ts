// What the parts of a task use in the cloud, and what a task of so many parts will cost. Counts are measured: `npm run cost -- --write`.
import { noUsage, priceOf, UNITS, type Usage } from './rate-card.ts';
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
  const parts: [number, Partial<Usage>][] = [
    [leaves, leaf],
    [coordinators, coordinator],
    [further_children, further_child],
    [revisions, revision],
    [1, requests],
  ];
  const sum = noUsage();
  for (const [times, part] of parts) for (const unit of UNITS) sum[unit] += times * (part[unit] ?? 0);
  return sum;
};

/** Micro-dollars of a task of this shape, models and sandboxes apart. */
export const estimateOf = (shape: TaskShape): number => Math.round(priceOf(usageOf(shape)));
