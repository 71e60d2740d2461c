// The rule of Settle and Collect: whether a delegation's child completed, and what its record and its entry then say (L2-DEL).
import { completionOf } from '#shared/contracts/completion.ts';
import type { Outcome, WaitKey } from '#shared/contracts/effects.ts';
import type { EntryBody } from '#shared/contracts/journal.ts';
import type { DelegationRecord } from '#shared/contracts/task.ts';
import { moveDelegation } from '#shared/domain/lifecycle.ts';

/** A delegation whose child completed is done; null when it did not complete. */
export const settledBy = (
  record: DelegationRecord,
  outcome: Outcome | null | undefined,
  now: number,
): { record: DelegationRecord; entry: EntryBody } | null => {
  const result = completionOf(outcome);
  if (result === null) return null;
  return {
    record: { ...record, ...result, state: moveDelegation(record.state, 'done'), ended_at: now },
    entry: { text: `${record.to} completed it`, data: { child: record.child, artifact: result.artifact } },
  };
};

/** The wait on which a delegation's child answers. */
export const childWait = ({ task, child, offer }: DelegationRecord): WaitKey => ({ task, on: child, offer });
