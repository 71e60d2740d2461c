// Who did what below a root: tasks under their parents, reviews under the task they judged (L2-FSM-03).
import type { TaskOutcome, TreeNode } from '#shared/contracts/acp-task.ts';
import type { AnyRecord, ReviewRecord, TaskRecord } from '#shared/contracts/task.ts';

/** The tree of a task from every record below its root, in the order they were opened. */
export const treeOf = (task: TaskRecord, below: readonly AnyRecord[]): TreeNode => ({
  record: task.id,
  kind: 'task',
  holon: task.holon,
  state: task.state,
  outcome: outcomeOf(task.state),
  iteration: task.iteration,
  result: task.verdict?.result ?? null,
  note: noteOf(task),
  children: below.flatMap((record) => childOf(task, record, below)),
});

/** A task's state as the one word that exit codes are made of. */
export const outcomeOf = (state: TaskRecord['state']): TaskOutcome => OUTCOMES[state] ?? 'open';

const OUTCOMES: Partial<Record<TaskRecord['state'], TaskOutcome>> = {
  completed: 'accepted',
  escalated: 'escalated',
  rejected: 'rejected',
  cancelled: 'cancelled',
};

const childOf = (parent: TaskRecord, record: AnyRecord, below: readonly AnyRecord[]): TreeNode[] => {
  if (record.kind === 'task' && record.parent?.task === parent.id) return [treeOf(record, below)];
  if (record.kind === 'review' && record.task === parent.id) return [reviewNode(record)];
  return [];
};

const reviewNode = (review: ReviewRecord): TreeNode => ({
  record: review.id,
  kind: 'review',
  holon: review.holon,
  state: review.state,
  outcome: review.state === 'told' ? 'accepted' : 'open',
  iteration: review.iteration,
  result: review.verdict?.result ?? null,
  note: review.verdict?.reason ?? '',
  children: [],
});

/** In a few words: how it ended, or what it is about. */
const noteOf = (task: TaskRecord): string => {
  if (task.escalation !== null) return `${task.escalation.reason}: ${task.escalation.detail}`;
  if (task.answer?.answer === 'reject') return `${task.answer.reason}: ${task.answer.detail}`;
  if (task.plan?.leaf) return task.plan.leaf.alternative;
  return task.spec.goal;
};
