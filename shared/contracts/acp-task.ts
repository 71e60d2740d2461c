// What the northbound door says about tasks: params and results of `_hca/task/*` (architecture 5; the table is acp.ts).
import * as z from 'zod';
import { GivenWorkspace } from './acp-workspace.ts';
import { ArtifactMeta, ArtifactRef } from './artifact.ts';
import { Budget } from './budget.ts';
import { CheckResult, Criterion } from './criterion.ts';
import { Attempt, Escalation } from './escalation.ts';
import { RootId } from './ids.ts';
import { Entry } from './journal.ts';
import { TaskState } from './task.ts';
import { Verdict, VerdictResult } from './verdict.ts';
import { Conflict } from './workspace.ts';

/** A goal as a person gives it: 1 to 16,000 characters of text, line breaks and tabs allowed. */
export const Goal = z
  .string()
  .refine((text) => text.trim() !== '', { message: 'the goal is empty' })
  .refine((text) => text.length <= 16_000, { message: 'the goal is longer than 16,000 characters' })
  .refine((text) => !/[^\P{Cc}\n\r\t]/u.test(text), { message: 'the goal has control characters' });

/** Names a task: its id, `last`, or an unambiguous beginning or end of an id (4 characters or more). */
export const TaskName = z
  .string()
  .regex(/^[A-Za-z0-9_-]{4,70}$/, 'a task is named by its id, "last", or 4 or more characters of its beginning or end');

/** A budget as text (`usd=1,tokens=200000,calls=100,time=15m`) or as the five integers. */
export const GivenBudget = z.union([z.string().max(200), Budget]);

/** What a task is made of. `criteria`: entries as in a criteria file (`GivenCriterion`); the rule that reads them names what is wrong. */
export const Asked = z.object({
  goal: Goal,
  workspace: GivenWorkspace,
  criteria: z.array(z.unknown()).max(1000).default([]),
});
export type Asked = z.infer<typeof Asked>;

/**
 * `id`: the client's own ULID; the same id again is the same task (issued once, safe to repeat). `harness`: the one harness package to work with;
 * `model`: the one model that may be used, of those that the policy allows.
 */
export const Submit = Asked.extend({
  id: RootId.optional(),
  budget: GivenBudget.optional(),
  retries: z.int().min(1).max(32).default(3),
  harness: z.string().max(63).optional(),
  model: z.string().max(200).optional(),
});
export type Submit = z.infer<typeof Submit>;

/** `created` false: this id was submitted before. `skipped`: paths of the folder that the snapshot leaves out. */
export const Submitted = z.object({
  task: RootId,
  created: z.boolean(),
  continues: z.string().nullable(),
  started_from: ArtifactRef.nullable(),
  workspace: z.string(),
  budget: Budget,
  deadline: z.int(),
  skipped: z.int().min(0),
});
export type Submitted = z.infer<typeof Submitted>;

/** What a task would cost in the cloud, models and sandboxes apart: as it is planned, and for each further attempt of a leaf. */
export const CostEstimate = z.object({
  leaves: z.int(),
  coordinators: z.int(),
  usd_micros: z.int(),
  usd_micros_revision: z.int(),
  rates_of: z.string(),
});
export type CostEstimate = z.infer<typeof CostEstimate>;

/** A plan that was only looked at. `ok` false: `reason` says why the goal would be rejected. */
export const PlanPreview = z.object({
  ok: z.boolean(),
  reason: z.string().default(''),
  family: z.string().nullable(),
  clauses: z.array(z.string()),
  uncovered: z.array(z.string()).default([]),
  criteria: z.array(Criterion),
  route: z.array(z.string()),
  alternatives: z.array(z.string()),
  estimate: CostEstimate.nullable().default(null),
});
export type PlanPreview = z.infer<typeof PlanPreview>;

/** How a task stands in one word; the exit codes of the command are made of these. */
export const TaskOutcome = z.enum(['open', 'accepted', 'escalated', 'rejected', 'cancelled']);
export type TaskOutcome = z.infer<typeof TaskOutcome>;

/** A task or a review in the tree of a root task. `note` says in a few words what it is doing or how it ended. */
export const TreeNode = z.object({
  record: z.string(),
  kind: z.enum(['task', 'review']),
  holon: z.string(),
  state: z.string(),
  outcome: TaskOutcome,
  iteration: z.int(),
  result: VerdictResult.nullable(),
  note: z.string(),
  get children() {
    return z.array(TreeNode);
  },
});
export type TreeNode = z.infer<typeof TreeNode>;

/** One criterion as a person reads it: what was asked and what was found. */
export const CriterionRow = z.object({
  id: z.string(),
  text: z.string(),
  level: z.enum(['must', 'should']),
  result: CheckResult.shape.result.nullable(),
  reason: z.string(),
  red_before: z.int().min(0),
});
export type CriterionRow = z.infer<typeof CriterionRow>;

/** The whole status of a task (L1-ST-03, L2-FSM-03). */
export const TaskView = z.object({
  task: z.string(),
  root: z.string(),
  goal: z.string(),
  family: z.string().nullable(),
  holon: z.string(),
  state: TaskState,
  outcome: TaskOutcome,
  workspace: z.string().nullable(),
  iteration: z.int(),
  retries: z.int(),
  opened_at: z.int(),
  ended_at: z.int().nullable(),
  deadline: z.int(),
  continues: z.string().nullable(),
  budget: Budget,
  spent: Budget,
  rest: Budget,
  clauses: z.array(z.string()),
  criteria: z.array(CriterionRow),
  rejected: z.object({ reason: z.string(), detail: z.string() }).nullable(),
  verdict: Verdict.nullable(),
  reservations: z.array(z.string()),
  attempts: z.array(Attempt),
  escalation: Escalation.nullable(),
  artifact: ArtifactRef.nullable(),
  tree: TreeNode,
});
export type TaskView = z.infer<typeof TaskView>;

export const TaskRow = z.object({
  task: z.string(),
  goal: z.string(),
  state: TaskState,
  outcome: TaskOutcome,
  holon: z.string(),
  opened_at: z.int(),
  ended_at: z.int().nullable(),
});
export type TaskRow = z.infer<typeof TaskRow>;

/** A page of a task's journal; `done` when the task is over and nothing follows. */
export const JournalSlice = z.object({
  task: z.string(),
  entries: z.array(Entry),
  cursor: z.string(),
  done: z.boolean(),
});
export type JournalSlice = z.infer<typeof JournalSlice>;

/** One review of a tree, newest last. */
export const ReviewRow = z.object({
  review: z.string(),
  task: z.string(),
  iteration: z.int(),
  producer: z.string(),
  evaluator: z.string(),
  state: z.string(),
  verdict: Verdict.nullable(),
});

export const FileRow = z.object({
  path: z.string(),
  change: z.enum(['added', 'modified', 'deleted']),
  added: z.int(),
  removed: z.int(),
  binary: z.boolean(),
});
export type FileRow = z.infer<typeof FileRow>;

/** `files` is what was or would be written; with conflicts nothing is. */
export const Applied = z.object({
  task: z.string(),
  workspace: z.string(),
  mode: z.enum(['check', 'write', '3way']),
  files: z.array(z.string()),
  conflicts: z.array(Conflict.omit({ sides: true })),
});
export type Applied = z.infer<typeof Applied>;

/** A piece of an artifact; `next` is the offset to go on from, null at the end. */
export const ArtifactPiece = z.object({ meta: ArtifactMeta, base64: z.string(), next: z.int().nullable() });
