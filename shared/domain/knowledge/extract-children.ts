// What a coordinator teaches: how the goal was split, who did which part after what, who could not and why, what conflicted, and what the next
// iteration did otherwise (L3-CMP-02, L3-CMP-03). The children's own lessons say how the work was done.
import { delegationId } from '#shared/contracts/ids.ts';
import type { DelegationRecord, TaskRecord, Tried } from '#shared/contracts/task.ts';

/** Parts of a lesson that speak of children. */
export interface Led {
  worked: string;
  failed: string;
  tags: string[];
}

/** `children`: every delegation of the task, oldest first. Null for a task that delegated nothing. */
export const ledOf = (record: TaskRecord, children: readonly DelegationRecord[]): Led | null => {
  if (children.length === 0) return null;
  const newest = children.filter((child) => iterationOf(child, record) === record.iteration);
  return {
    worked: [splitOf(record, newest), ...changesOf(record, children)].filter((text) => text !== '').join('; '),
    failed: [...children.flatMap(failuresOf), ...conflictsOf(record, children)].join('; '),
    tags: ['delegation', ...children.flatMap(tagsOf)],
  };
};

/** A tag that says who did a part: what tells one decomposition from another. */
export const PART = 'child:';

/** References to what the children were judged by. */
export const childEvidence = ({ child_verdicts }: TaskRecord): string[] =>
  child_verdicts.map(({ review }) => `review:${review}`);

/** `split in 2: lint by developer; tests by tester (after a counter: …)`. */
const splitOf = (record: TaskRecord, children: readonly DelegationRecord[]): string => {
  const parts = children.map(
    (child) => `${partOf(child)} ${stateOf(child)}${redone(record, child) ? ' on top of the others' : ''}`,
  );
  return parts.length === 0 ? '' : `split in ${parts.length}: ${parts.join(', ')}`;
};

const partOf = ({ plan }: DelegationRecord): string => plan.family ?? plan.goal.slice(0, 80);

const stateOf = ({ state, to, tried }: DelegationRecord): string => {
  const before = tried.filter(({ outcome }) => outcome !== 'completed').map(saidOf);
  const after = before.length === 0 ? '' : ` (after ${before.join(', ')})`;
  return `${state === 'done' ? 'by' : `not done: ${state}, last by`} ${to}${after}`;
};

const saidOf = ({ outcome, holon, budget_asked, detail }: Tried): string => {
  const asked = budget_asked ? ' for budget' : '';
  return `${outcome}${asked} of ${holon}: ${detail}`.slice(0, 200);
};

/** Each iteration that failed its review, and what was delegated after it. */
const changesOf = (record: TaskRecord, children: readonly DelegationRecord[]): string[] =>
  record.attempts
    .filter(({ result }) => result === 'fail' || result === 'partial')
    .map(({ iteration, unmet, reason }) => {
      const next = children.filter((child) => iterationOf(child, record) === iteration + 1);
      const then = next.map((child) => `${partOf(child)} to ${child.to}`).join(', ');
      const failed = `iteration ${iteration} failed: ${unmet[0] ?? reason}`.slice(0, 300);
      return then === '' ? failed : `${failed}, then ${then}`;
    });

/** Children that failed, each with its reason; who was tried and given up counts too. */
const failuresOf = (child: DelegationRecord): string[] => {
  const tried = child.tried.filter(({ outcome }) => outcome !== 'completed' && outcome !== 'counter');
  const said = tried.map((one) => `${partOf(child)}: ${saidOf(one)}`);
  const { escalation } = child;
  if (child.state === 'done' || escalation === null) return said;
  return [...said, `${partOf(child)} failed in ${child.to}: ${escalation.reason}`];
};

const conflictsOf = (record: TaskRecord, children: readonly DelegationRecord[]): string[] => [
  ...children
    .filter((child) => redone(record, child))
    .map((child) => `${partOf(child)} conflicted with the others when done beside them`),
  ...(record.failing?.reason === 'conflict' ? [record.failing.detail] : []),
];

/** Its place in the loop is in its name only. */
const iterationOf = ({ id, plan }: DelegationRecord, record: TaskRecord): number => {
  const iterations = Array.from({ length: record.iteration }, (_, at) => at + 1);
  return iterations.find((iteration) => delegationId(record.id, iteration, plan.slot) === id) ?? 0;
};

/** What is done again after a conflict has a slot that no plan gave it. */
const redone = ({ plan, iteration }: TaskRecord, child: DelegationRecord): boolean =>
  plan !== null && plan.iteration === iteration && !plan.waves.flat().some(({ slot }) => slot === child.plan.slot);

const tagsOf = ({ plan, to }: DelegationRecord): string[] => [
  plan.family ?? '',
  `${PART}${plan.family ?? 'any'}:${to}`,
];
