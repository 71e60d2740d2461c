// The decision after a review: the table of requirements section 3, line by line (L2-ITR-01 to L2-ITR-04, L1-REV-01).
import type { EscalationReason } from '#shared/contracts/escalation.ts';
import type { VerdictResult } from '#shared/contracts/verdict.ts';
import { isStalled } from '#shared/domain/progress.ts';

/**
 * `iteration` counts from 1 and `retries` is how many there may be; `attemptsLeft`: what all below the root still share; `progress`: one
 * difference for every iteration from the second on, oldest first; `untried`: an alternative that was not taken yet, which is new evidence.
 * A review that was `unable` is no verdict and never comes here.
 */
export interface ReviewedTask {
  result: Exclude<VerdictResult, 'unable'>;
  iteration: number;
  retries: number;
  attemptsLeft: number;
  budgetSpent: boolean;
  progress: readonly number[];
  untried: boolean;
}

/** `reservations`: accepted with `should` criteria unmet, which are recorded. */
export type AfterReview =
  | { next: 'accept'; reservations: boolean }
  | { next: 'revise' }
  | { next: 'escalate'; reason: EscalationReason };

/** Accept, revise or escalate. A fail is never accepted; "no progress" and "nothing left to try" are reported as such. */
export function afterReview(task: ReviewedTask): AfterReview {
  if (task.result === 'pass') return { next: 'accept', reservations: false };
  if (task.budgetSpent) return { next: 'escalate', reason: 'budget_spent' }; // L2-ITR-04
  const stop = whyStop(task);
  if (stop === null) return { next: 'revise' }; // L2-ITR-01
  if (task.result === 'partial') return { next: 'accept', reservations: true };
  return { next: 'escalate', reason: stop }; // L2-ITR-03
}

function whyStop(task: ReviewedTask): EscalationReason | null {
  if (task.iteration >= task.retries || task.attemptsLeft <= 0) return 'attempts_spent';
  if (task.untried || (task.progress.at(-1) ?? 0) > 0) return null;
  return isStalled(task.progress) ? 'no_progress' : 'no_alternative';
}
