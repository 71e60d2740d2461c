// An escalation: attempts, reason, evidence, and the usable artifact if there is one (L2-ESC-01 to L2-ESC-03).
import * as z from 'zod';
import { ArtifactRef } from './artifact.ts';
import { Budget } from './budget.ts';

/** Why a task could not be finished where it was. */
export const EscalationReason = z.enum([
  'attempts_spent',
  'no_progress',
  'no_alternative',
  'budget_spent',
  'no_budget',
  'no_capability',
  'no_evaluator',
  'not_ready',
  'conflict',
  'child_failed',
  'deadline',
  'fault',
  'lost',
]);
export type EscalationReason = z.infer<typeof EscalationReason>;

/** One attempt as a person or a parent reads it. `signature` names the failure: equal signatures mean nothing new. */
export const Attempt = z.object({
  iteration: z.int().min(1),
  alternative: z.string(),
  artifact: ArtifactRef.nullable(),
  result: z.enum(['pass', 'fail', 'partial', 'unable', 'none']),
  unmet: z.array(z.string()).max(64),
  reason: z.string().max(2000),
  signature: z.string(),
  progress: z.number(),
  evidence: z.array(z.string()).max(64),
});
export type Attempt = z.infer<typeof Attempt>;

/** Payload of `hca/task/escalate`. */
export const Escalation = z.object({
  attempts: z.array(Attempt).max(64),
  reason: EscalationReason,
  detail: z.string().max(4000),
  evidence: z.array(z.string()).max(64),
  artifact: ArtifactRef.nullable(),
  signature: z.string(),
  spent: Budget,
  unused_attempts: z.int().min(0),
});
export type Escalation = z.infer<typeof Escalation>;
