// Names of sandbox sessions: a task's own, and one of its own for every review (requirements section 1, all work is sandboxed).
import type { TaskRecord } from '#shared/contracts/task.ts';

/** The session in which a task's holon works. */
export const workSession = (task: string): string => `work-${task}`;

/** The session in which an evaluator judges; never the producer's. */
export const reviewSession = (review: string): string => `review-${review}`;

/** Sessions in which something may be running for a task. */
export const sessionsOf = (record: TaskRecord): string[] => [
  workSession(record.id),
  ...(record.review === null ? [] : [reviewSession(record.review)]),
];
