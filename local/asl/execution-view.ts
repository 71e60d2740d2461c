// How an execution looks from outside, and how the end of its outermost scope ends it.
import type { Ended } from '#local/asl/journal.ts';
import type { ExecutionRow } from '#local/asl/rows.ts';
import type { Execution } from '#local/asl/runner.ts';
import type { Ending, Run } from '#local/asl/world.ts';

/** A journal row with the states it is in, where it runs in this process. */
export function viewOf(row: ExecutionRow, run: Run | undefined): Execution {
  const { machine, name, status, input, started, ended, output, error, cause } = row;
  const states = [...(run?.live ?? [])].map((visit) => visit.node.name);
  return { machine, name, status, input, started, ended, output, error, cause, states };
}

/** SUCCEEDED with the scope's output, or FAILED with its error. */
export function endedBy(ending: Exclude<Ending, symbol>, at: number): Ended {
  if ('error' in ending) return { status: 'FAILED', at, output: null, error: ending.error };
  return { status: 'SUCCEEDED', at, output: ending.output.text, error: null };
}
