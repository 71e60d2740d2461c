// What was judged and why a task went up (L1-REV-02, L2-ESC-01 to L2-ESC-03): read from the records, never composed here.
import type { ReviewRecord, TaskRecord } from '#shared/contracts/task.ts';
import { findTask } from './find.ts';
import type { Handler } from './ports.ts';

export const getVerdict: Handler<'_hca/task/verdict'> = async ({ params, principal, door }) => {
  const { tasks } = door.ports;
  const task = await findTask({ principal, tasks }, params.task);
  const below = await tasks.below(principal.tenant, task.root);
  const reviews = below.filter((record) => record.kind === 'review').filter((review) => isBelow(review.task, task));
  return { task: task.id, verdict: task.verdict, reviews: reviews.map(reviewRow) };
};

export const getEscalation: Handler<'_hca/task/escalation'> = async ({ params, principal, door }) => {
  const { tasks } = door.ports;
  const task = await findTask({ principal, tasks }, params.task);
  const below = await tasks.below(principal.tenant, task.root);
  const own = below.filter((record) => record.kind === 'task').filter((record) => isBelow(record.id, task));
  const attempts = own.flatMap((record) => record.attempts.map((attempt) => ({ ...attempt, holon: record.holon })));
  return { task: task.id, escalation: task.escalation, attempts };
};

/** A root sees everything; a child sees what carries its own id as the beginning. */
const isBelow = (id: string, task: TaskRecord): boolean => task.id === task.root || id.startsWith(task.id);

const reviewRow = (review: ReviewRecord) => ({
  review: review.id,
  task: review.task,
  iteration: review.iteration,
  producer: review.producer,
  evaluator: review.holon,
  state: review.state,
  verdict: review.verdict,
});
