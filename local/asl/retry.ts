// Retry and Catch: which retrier answers an error, how long it waits, and where a caught error leads.

import type { Retrier } from '#local/asl/definition.ts';
import { type ErrorOutput, matches } from '#local/asl/errors.ts';
import { leave } from '#local/asl/leave.ts';
import type { Recovery } from '#local/asl/nodes.ts';
import { sealed } from '#local/asl/payload.ts';
import { attemptKey, type Leave, type Visit } from '#local/asl/world.ts';

/** Prepares the next attempt, journalled with its counters and its time, and answers true; false when no retrier is left. */
export function scheduleRetry(visit: Visit, recovery: Recovery, error: ErrorOutput): boolean {
  const index = recovery.retry.findIndex((retrier) => matches(retrier.ErrorEquals, error.Error));
  const retrier = recovery.retry[index];
  const used = visit.counters[index] ?? 0;
  if (retrier === undefined || used >= retrier.MaxAttempts) return false;
  const { world } = visit.scope;
  const now = world.clock.now();
  visit.counters = recovery.retry.map((_, each) => (visit.counters[each] ?? 0) + (each === index ? 1 : 0));
  visit.attempt += 1;
  const begins = now + delayMillis(retrier, used, world.random());
  const after = { ...error, at: now };
  const detail = { entered: visit.entered, begins, due: begins, counters: [...visit.counters], after };
  visit.memo = { detail, token: null, invoked: null, outcome: null };
  world.journal.attempt({ key: attemptKey(visit), state: visit.node.name, detail, token: null });
  return true;
}

/**
 * Milliseconds before the next attempt: IntervalSeconds × BackoffRate^(retries so far), at most MaxDelaySeconds; with FULL
 * jitter anywhere between 0 and that. `random` is uniform in [0, 1).
 */
export function delayMillis(retrier: Retrier, used: number, random: number): number {
  const grown = retrier.IntervalSeconds * retrier.BackoffRate ** used;
  const capped = Math.min(grown, retrier.MaxDelaySeconds ?? Number.POSITIVE_INFINITY, LONGEST_DELAY);
  return Math.round(capped * 1_000 * (retrier.JitterStrategy === 'FULL' ? random : 1));
}

/** A year, in seconds: Step Functions' longest execution. */
const LONGEST_DELAY = 31_622_400;

/** Leaves by the first Catch that matches; undefined when none does. */
export async function caught(visit: Visit, recovery: Recovery, error: ErrorOutput): Promise<Leave | undefined> {
  const rule = recovery.catch.find(({ errors }) => matches(errors, error.Error));
  if (rule === undefined) return undefined;
  const output = sealed(error, 'the error output');
  return await leave(visit, rule.leaving, { output, more: { errorOutput: error }, failure: error });
}
