// How a record begins: the one place where the empty fields of a task, a delegation and a review are written.
import { rootOf } from '#shared/contracts/ids.ts';
import type { TaskMachine } from '#shared/contracts/machines.ts';
import type { Constraints, TaskSpec } from '#shared/contracts/offer.ts';
import type { ChildPlan } from '#shared/contracts/plan.ts';
import type { DelegationRecord, ReviewRecord, TaskRecord } from '#shared/contracts/task.ts';

/** What names a new record: tenant, id, the holon it belongs to and the time in ms. */
export interface Birth {
  tenant: string;
  id: string;
  holon: string;
  now: number;
}

const head = (birth: Birth) => ({
  tenant: birth.tenant,
  root: rootOf(birth.id),
  id: birth.id,
  holon: birth.holon,
  version: 0,
  generation: 0,
  last: null,
  opened_at: birth.now,
  ended_at: null,
});

/** A task before its holon answered. `from` is the delegating holon, or `user`; then `owner` is the subject whose task it is. `machine`: by the holon's card. */
export const newTask = (
  birth: Birth,
  from: Pick<TaskRecord, 'from' | 'parent' | 'continues'> & {
    owner?: string;
    state: 'submitted' | 'offered';
    machine: TaskMachine;
  },
  terms: { spec: TaskSpec; constraints: Constraints },
): TaskRecord => ({
  ...head(birth),
  kind: 'task',
  state: from.state,
  resume_to: null,
  parent: from.parent,
  from: from.from,
  owner: from.owner ?? null,
  continues: from.continues,
  machine: from.machine,
  offer: 1,
  spec: terms.spec,
  constraints: terms.constraints,
  answer: null,
  iteration: 0,
  plan: null,
  wave: 0,
  redo: [],
  work: null,
  artifact: null,
  patch: null,
  produced: [],
  child_verdicts: [],
  review: null,
  reviews: 0,
  evaluators_tried: [],
  verdict: null,
  attempts: [],
  result: null,
  failing: null,
  escalation: null,
  used: [],
  lesson: null,
  lesson_pending: false,
});

/** A child slot as its parent plans it; nothing is offered yet. */
export const newDelegation = (
  birth: Birth,
  task: string,
  terms: { plan: ChildPlan; spec: TaskSpec; constraints: Constraints },
): DelegationRecord => ({
  ...head(birth),
  kind: 'delegation',
  task,
  state: 'planned',
  plan: terms.plan,
  spec: terms.spec,
  constraints: terms.constraints,
  child: '',
  n: 1,
  offer: 1,
  to: terms.plan.holon,
  tried: [],
  artifact: null,
  patch: null,
  verdict: null,
  escalation: null,
});

/** What an evaluator is asked to judge. */
export type ReviewTerms = Pick<
  ReviewRecord,
  | 'task'
  | 'iteration'
  | 'project'
  | 'producer'
  | 'goal'
  | 'family'
  | 'criteria'
  | 'workspace'
  | 'artifact'
  | 'baseline'
  | 'produced'
  | 'child_verdicts'
  | 'mode'
  | 'constraints'
>;

/** A review before its evaluator judged. */
export const newReview = (birth: Birth, terms: ReviewTerms): ReviewRecord => ({
  ...head(birth),
  kind: 'review',
  state: 'requested',
  ...terms,
  verdict: null,
});
