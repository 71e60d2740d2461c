// Succeed and Fail: the two ways a scope says that it is over.
import { envOf } from '#local/asl/env.ts';
import { AslFault } from '#local/asl/errors.ts';
import { leave } from '#local/asl/leave.ts';
import type { FailNode, SucceedNode } from '#local/asl/nodes.ts';
import type { Leave, Visit } from '#local/asl/world.ts';

/** Ends the scope with the state's Output, or with its input. */
export function runSucceed(visit: Visit, node: SucceedNode): Promise<Leave> {
  return leave(visit, node.leaving, { output: visit.scope.input });
}

/** Always throws the error that the state names. */
export async function runFail(visit: Visit, node: FailNode): Promise<never> {
  const env = envOf(visit);
  const error = await node.error(env);
  const cause = await node.cause(env);
  if (typeof error === 'string' && typeof cause === 'string') throw new AslFault(error, cause);
  throw new AslFault('States.QueryEvaluationError', `Error and Cause of ${node.name} must be texts`);
}
