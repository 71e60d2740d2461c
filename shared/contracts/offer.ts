// Offers and answers: what a parent proposes, and accept, reject or counter (L1-DEL, L2-NEG).
import * as z from 'zod';
import { ArtifactRef } from './artifact.ts';
import { Budget } from './budget.ts';
import { Criterion } from './criterion.ts';
import { Policy } from './policy.ts';
import { TreeId } from './workspace.ts';

/**
 * The folder a task works on: its absolute path and the content-addressed snapshot taken when the goal was given. `elsewhere`: the folder is of another
 * machine, or a git server's; nothing here can be written to it.
 */
export const Workspace = z.object({ root: z.string().max(4096), tree: TreeId, elsewhere: z.boolean().optional() });
export type Workspace = z.infer<typeof Workspace>;

/**
 * Task specification (L1-DEL-02). `family` null: the receiver reads the goal itself. `start_from` is a change set to begin with. `harness`: the one
 * harness package to work with, where a person chose it.
 */
export const TaskSpec = z.object({
  goal: z.string().min(1).max(16_000),
  family: z.string().nullable(),
  criteria: z.array(Criterion).max(64),
  workspace: Workspace.nullable(),
  start_from: ArtifactRef.nullable(),
  harness: z.string().max(63).optional(),
});
export type TaskSpec = z.infer<typeof TaskSpec>;

/** Constraints (L1-DEL-03): the parent sets limits, the holon decides how. `deadline` is absolute, in ms. */
export const Constraints = z.object({
  budget: Budget,
  retries: z.int().min(1).max(32),
  deadline: z.int(),
  policy: Policy,
});
export type Constraints = z.infer<typeof Constraints>;

/** Why a holon says no (L2-NEG-05). */
export const RejectReason = z.enum([
  'no_capability',
  'missing_tool',
  'no_capacity',
  'not_ready',
  'goal_uncovered',
  'no_check',
  'deadline_passed',
  'offline',
]);
export type RejectReason = z.infer<typeof RejectReason>;

/** The child's answer to an offer (L2-NEG-01 to L2-NEG-03). */
export const OfferAnswer = z.discriminatedUnion('answer', [
  z.object({ answer: z.literal('accept') }),
  z.object({ answer: z.literal('reject'), reason: RejectReason, detail: z.string().max(2000) }),
  z.object({ answer: z.literal('counter'), budget: Budget, detail: z.string().max(2000) }),
]);
export type OfferAnswer = z.infer<typeof OfferAnswer>;

/** The parent's reply to a counter (L2-NEG-04). */
export const CounterReply = z.object({
  answer: z.enum(['accept', 'reject', 'reassign']),
  detail: z.string().max(2000),
});
export type CounterReply = z.infer<typeof CounterReply>;
