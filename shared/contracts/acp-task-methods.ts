// The northbound door's rows for tasks and their artifacts; acp.ts joins them with the rest into one table.
import * as z from 'zod';
import type { MethodRow } from './acp-host.ts';
import {
  Applied,
  ArtifactPiece,
  Asked,
  FileRow,
  GivenBudget,
  JournalSlice,
  PlanPreview,
  ReviewRow,
  Submit,
  Submitted,
  TaskName,
  TaskRow,
  TaskView,
  TreeNode,
} from './acp-task.ts';
import { Trace } from './acp-trace.ts';
import { ArtifactMeta, ArtifactRef } from './artifact.ts';
import { Attempt, Escalation } from './escalation.ts';
import { RootId } from './ids.ts';
import { Verdict } from './verdict.ts';

const task = z.object({ task: TaskName });

export const TASK_METHODS = {
  '_hca/task/submit': {
    params: Submit,
    result: Submitted,
    scope: 'submit',
    summary: 'Gives a goal and a folder to the root holon.',
    command: 'run',
  },
  '_hca/task/plan': {
    params: Asked,
    result: PlanPreview,
    scope: 'read',
    summary: 'Shows what would be planned; starts nothing.',
    command: 'run',
  },
  '_hca/task/get': {
    params: task,
    result: TaskView,
    scope: 'read',
    summary: 'The whole status of a task.',
    command: 'status',
  },
  '_hca/task/list': {
    params: z.object({
      limit: z.int().min(1).max(1000).default(20),
      before: z.string().optional(),
      open: z.boolean().optional(),
    }),
    result: z.object({ tasks: z.array(TaskRow), next: z.string().nullable() }),
    scope: 'read',
    summary: 'Root tasks, newest first.',
    command: 'tasks',
  },
  '_hca/task/journal': {
    params: task.extend({ cursor: z.string().max(4000).default(''), limit: z.int().min(1).max(1000).default(200) }),
    result: JournalSlice,
    scope: 'read',
    summary: 'What happened, a page at a time.',
    command: 'journal',
  },
  '_hca/task/watch': {
    params: task.extend({ cursor: z.string().max(4000).default('') }),
    result: z.object({ task: z.string(), cursor: z.string() }),
    scope: 'read',
    summary: 'Over WebSocket: replays the journal from a cursor, then follows it, as `_hca/task/update` notifications.',
    command: 'watch',
  },
  '_hca/task/tree': {
    params: task,
    result: z.object({ tree: TreeNode }),
    scope: 'read',
    summary: 'Who did what for a task.',
    command: 'tree',
  },
  '_hca/task/trace': {
    params: task,
    result: Trace,
    scope: 'read',
    summary: 'How a task ran: executions, states, times, attempts, costs.',
    command: 'trace',
  },
  '_hca/task/verdict': {
    params: task,
    result: z.object({ task: z.string(), verdict: Verdict.nullable(), reviews: z.array(ReviewRow) }),
    scope: 'read',
    summary: 'The verdict on a task and every review below it.',
    command: 'verdict',
  },
  '_hca/task/escalation': {
    params: task,
    result: z.object({
      task: z.string(),
      escalation: Escalation.nullable(),
      attempts: z.array(Attempt.extend({ holon: z.string() })),
    }),
    scope: 'read',
    summary: 'Why a task was escalated, with every attempt below it.',
    command: 'escalation',
  },
  '_hca/task/cancel': {
    params: task.extend({ cause: z.string().max(500).default('cancelled by the user') }),
    result: z.object({ task: z.string(), state: z.string() }),
    scope: 'submit',
    summary: 'Stops a task and everything below it.',
    command: 'cancel',
  },
  '_hca/task/retry': {
    params: task.extend({
      id: RootId.optional(),
      budget: GivenBudget.optional(),
      retries: z.int().min(1).max(32).optional(),
    }),
    result: Submitted,
    scope: 'submit',
    summary: 'A successor that goes on from the last artifact.',
    command: 'retry',
  },
  '_hca/task/diff': {
    params: task,
    result: z.object({
      task: z.string(),
      artifact: ArtifactRef.nullable(),
      workspace: z.string(),
      elsewhere: z.boolean(),
      patch: z.string(),
      files: z.array(FileRow),
    }),
    scope: 'read',
    summary: 'What a task changed, as a git patch and per file.',
    command: 'diff',
  },
  '_hca/task/apply': {
    params: task.extend({
      mode: z.enum(['check', 'write', '3way']).default('write'),
      unaccepted: z.boolean().default(false),
    }),
    result: Applied,
    scope: 'approve',
    summary: 'Writes a change to the workspace, all or nothing.',
    command: 'apply',
  },
  '_hca/artifact/list': {
    params: task,
    result: z.object({ artifacts: z.array(ArtifactMeta) }),
    scope: 'read',
    summary: 'Every artifact of a task.',
    command: 'artifacts',
  },
  '_hca/artifact/get': {
    params: z.object({
      id: z.string().min(1).max(300),
      version: z.int().min(1).optional(),
      offset: z.int().min(0).default(0),
      length: z.int().min(1).max(1_048_576).default(1_048_576),
    }),
    result: ArtifactPiece,
    scope: 'read',
    summary: 'The bytes of an artifact, in pieces.',
    command: 'artifacts',
  },
} as const satisfies Record<`_hca/${'task' | 'artifact'}/${string}`, MethodRow>;
