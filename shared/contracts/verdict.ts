// A verdict: pass, fail or partial, criterion by criterion, by another holon than the producer (L1-REV, L2-EVL).
import * as z from 'zod';
import { ArtifactRef } from './artifact.ts';
import { CheckResult } from './criterion.ts';

/** L1-REV-03. `unable` is no verdict: the evaluator could not judge, and that is never a pass. */
export const VerdictResult = z.enum(['pass', 'fail', 'partial', 'unable']);
export type VerdictResult = z.infer<typeof VerdictResult>;

/** What the evaluator tells the producer. */
export const Verdict = z.object({
  review: z.string(),
  task: z.string(),
  iteration: z.int().min(1),
  result: VerdictResult,
  reason: z.string().max(2000),
  criteria: z.array(CheckResult).max(64),
  producer_holon: z.string(),
  evaluator_holon: z.string(),
  artifacts: z.array(ArtifactRef).max(16),
  mode: z.enum(['re-run', 'inherited', 'none']),
  judged_at: z.int(),
});
export type Verdict = z.infer<typeof Verdict>;
