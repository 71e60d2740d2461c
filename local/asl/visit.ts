// One visit of a state: attempts until it succeeds, is caught, or fails its scope.
import { HALTED, type Halted } from '#local/asl/cancel.ts';
import { type ErrorOutput, errorOutput, JournalFault } from '#local/asl/errors.ts';
import type { Recovery } from '#local/asl/nodes.ts';
import { caught, scheduleRetry } from '#local/asl/retry.ts';
import { sleepUntil } from '#local/asl/sleep.ts';
import { runChoice } from '#local/asl/state-choice.ts';
import { runFail, runSucceed } from '#local/asl/state-end.ts';
import { runMap } from '#local/asl/state-map.ts';
import { runTask } from '#local/asl/state-task.ts';
import { runWait } from '#local/asl/state-wait.ts';
import type { Leave, Visit } from '#local/asl/world.ts';

/** Runs a state until it is left. Rejects with JournalFault only; everything else becomes the failure of the scope. */
export async function visitState(visit: Visit): Promise<Leave | Halted> {
  for (;;) {
    const answer = await attempt(visit);
    if (answer !== 'again') return answer;
  }
}

async function attempt(visit: Visit): Promise<Leave | Halted | 'again'> {
  try {
    if (!hasBegun(visit) && (await sleepUntil(visit.scope, visit.memo?.detail.due ?? 0)) === HALTED) return HALTED;
    return await execute(visit);
  } catch (thrown) {
    return await recover(visit, thrown);
  }
}

/** After a retry was scheduled, the attempt begins at its time. */
function hasBegun(visit: Visit): boolean {
  const due = visit.memo?.detail.due;
  return due === undefined || due <= visit.scope.world.clock.now();
}

const NONE: Recovery = { retry: [], catch: [] };

function execute(visit: Visit): Promise<Leave | Halted> {
  const { node } = visit;
  switch (node.type) {
    case 'Task':
      return runTask(visit, node);
    case 'Choice':
      return runChoice(visit, node);
    case 'Map':
      return runMap(visit, node);
    case 'Wait':
      return runWait(visit, node);
    case 'Succeed':
      return runSucceed(visit, node);
    case 'Fail':
      return runFail(visit, node);
  }
}

/** A stopped scope concludes nothing from an error: its journal stays as it is. */
async function recover(visit: Visit, thrown: unknown): Promise<Leave | Halted | 'again'> {
  if (thrown instanceof JournalFault) throw thrown;
  if (visit.scope.cancel.fired) return HALTED;
  const recovery = 'recovery' in visit.node ? visit.node.recovery : NONE;
  const error = errorOutput(thrown);
  if (scheduleRetry(visit, recovery, error)) return 'again';
  try {
    return (await caught(visit, recovery, error)) ?? failed(error);
  } catch (second) {
    return failed(errorOutput(second));
  }
}

/** Leaves the scope with a failure. */
function failed(failure: ErrorOutput): Leave {
  return { next: null, output: { value: null, text: 'null' }, assign: undefined, failure };
}
