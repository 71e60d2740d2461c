// The three kinds of record: a task in its holon, a delegation in its parent, a review in its evaluator (architecture 3).
import * as z from 'zod';
import { ArtifactRef } from './artifact.ts';
import { CheckRun, Criterion } from './criterion.ts';
import { Effect, WaitKey } from './effects.ts';
import { Attempt, Escalation, EscalationReason } from './escalation.ts';
import { Confinement } from './evidence.ts';
import { EntryBody } from './journal.ts';
import { LessonUse } from './lesson.ts';
import { TaskMachine } from './machines.ts';
import { Message } from './messages.ts';
import { Constraints, OfferAnswer, TaskSpec } from './offer.ts';
import { ChildPlan, Plan } from './plan.ts';
import { Project } from './project.ts';
import { Verdict } from './verdict.ts';
import { TreeId } from './workspace.ts';

/** States of a task in a holon (requirements section 4; the table of moves is domain/lifecycle.ts). */
export const TaskState = z.enum([
  'submitted',
  'offered',
  'countered',
  'agreed',
  'planning',
  'working',
  'delegating',
  'collecting',
  'reviewing',
  'revising',
  'accepting',
  'escalating',
  'compounding',
  'waiting',
  'cancelling',
  'rejected',
  'completed',
  'escalated',
  'cancelled',
]);
export type TaskState = z.infer<typeof TaskState>;

/** Where in a machine a change was decided: (generation, tick, turn) in order, or the message that caused it. */
export const Moment = z.object({
  generation: z.int().min(0),
  tick: z.int().min(0),
  turn: z.int().min(0),
  message: z.string().nullable(),
});
export type Moment = z.infer<typeof Moment>;

/** A record's last change, kept so that a repeat decides nothing twice (architecture section 2, rule 2). */
export const Last = z.object({
  step: z.string(),
  at: Moment,
  also: z.array(Effect).max(128),
  tell: z.array(Message).max(64),
  entry: EntryBody,
  caused_by: z.string(),
  saved_at: z.int(),
  output: z.record(z.string(), z.unknown()),
  wait: WaitKey.nullable(),
});
export type Last = z.infer<typeof Last>;

const head = {
  tenant: z.string(),
  root: z.string(),
  id: z.string(),
  holon: z.string(),
  version: z.int().min(0),
  generation: z.int().min(0),
  last: Last.nullable(),
  opened_at: z.int(),
  ended_at: z.int().nullable(),
};

/** Work in progress of a leaf: the session, the call to make next, the trees at the start, now and last known good, what was kept and dropped. */
export const WorkState = z.object({
  session: z.string(),
  cursor: z.int().min(0),
  confinement: Confinement,
  mode: z.enum(['together', 'one-by-one']),
  start: TreeId,
  tree: TreeId,
  good_tree: TreeId,
  kept: z.array(z.string()).max(200),
  dropped: z.array(z.string()).max(200),
  evidence: z.array(z.string()).max(400),
  checks: z.array(CheckRun).max(64),
});
export type WorkState = z.infer<typeof WorkState>;

/** How a task ended well. */
export const TaskResult = z.object({
  artifact: ArtifactRef.nullable(),
  patch: ArtifactRef.nullable(),
  verdict: Verdict,
  reservations: z.array(z.string()).max(64),
});
export type TaskResult = z.infer<typeof TaskResult>;

/** A task in its holon. */
export const TaskRecord = z.object({
  ...head,
  kind: z.literal('task'),
  state: TaskState,
  resume_to: TaskState.nullable(),
  parent: z.object({ task: z.string(), holon: z.string() }).nullable(),
  from: z.string(),
  /** Subject whose task this is; null below a root, whose owner counts. */
  owner: z.string().nullable().default(null),
  continues: z.string().nullable(),
  /** What its holon was when it was made: the machine of its first generation. Records of before there were two have none. */
  machine: TaskMachine.optional(),
  offer: z.int().min(1),
  spec: TaskSpec,
  constraints: Constraints,
  answer: OfferAnswer.nullable(),
  iteration: z.int().min(0),
  plan: Plan.nullable(),
  wave: z.int().min(0),
  redo: z.array(ChildPlan).max(40),
  work: WorkState.nullable(),
  artifact: ArtifactRef.nullable(),
  patch: ArtifactRef.nullable(),
  produced: z.array(CheckRun).max(64),
  child_verdicts: z.array(Verdict).max(40),
  review: z.string().nullable(),
  reviews: z.int().min(0),
  evaluators_tried: z.array(z.string()).max(16),
  verdict: Verdict.nullable(),
  attempts: z.array(Attempt).max(64),
  result: TaskResult.nullable(),
  failing: z.object({ reason: EscalationReason, detail: z.string().max(4000) }).nullable(),
  escalation: Escalation.nullable(),
  used: z.array(LessonUse).max(64).default([]),
  lesson: z.string().nullable(),
  lesson_pending: z.boolean(),
});
export type TaskRecord = z.infer<typeof TaskRecord>;

/** One child tried by a delegation and how it ended. */
export const Tried = z.object({
  child: z.string(),
  holon: z.string(),
  offer: z.int(),
  outcome: z.string(),
  signature: z.string(),
  budget_asked: z.boolean(),
  detail: z.string().max(500).default(''),
});
export type Tried = z.infer<typeof Tried>;

/** The parent's own view of one child slot; written only by that child's iteration of the Map. */
export const DelegationRecord = z.object({
  ...head,
  kind: z.literal('delegation'),
  task: z.string(),
  state: z.enum(['planned', 'offered', 'settled', 'arbitrating', 'done', 'failed']),
  plan: ChildPlan,
  spec: TaskSpec,
  constraints: Constraints,
  child: z.string(),
  n: z.int().min(1),
  offer: z.int().min(1),
  to: z.string(),
  tried: z.array(Tried).max(16),
  artifact: ArtifactRef.nullable(),
  patch: ArtifactRef.nullable(),
  verdict: Verdict.nullable(),
  escalation: Escalation.nullable(),
});
export type DelegationRecord = z.infer<typeof DelegationRecord>;

/** A review in its evaluator. */
export const ReviewRecord = z.object({
  ...head,
  kind: z.literal('review'),
  state: z.enum(['requested', 'judging', 'told']),
  task: z.string(),
  iteration: z.int().min(1),
  producer: z.string(),
  goal: z.string(),
  family: z.string(),
  criteria: z.array(Criterion).max(64),
  project: Project.nullable(),
  workspace: TaskSpec.shape.workspace,
  artifact: ArtifactRef.nullable(),
  baseline: z.array(CheckRun).max(64),
  produced: z.array(CheckRun).max(64),
  child_verdicts: z.array(Verdict).max(40),
  mode: z.enum(['re-run', 'inherit']),
  constraints: Constraints,
  verdict: Verdict.nullable(),
});
export type ReviewRecord = z.infer<typeof ReviewRecord>;

/** Any record. */
export const AnyRecord = z.discriminatedUnion('kind', [TaskRecord, DelegationRecord, ReviewRecord]);
export type AnyRecord = z.infer<typeof AnyRecord>;
