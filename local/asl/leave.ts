// Leaving a state: Output and Assign are computed side by side from the old variables, then sealed for the journal.
import { envOf, type More } from '#local/asl/env.ts';
import type { ErrorOutput } from '#local/asl/errors.ts';
import type { Leaving } from '#local/asl/nodes.ts';
import { type Sealed, sealed } from '#local/asl/payload.ts';
import type { Leave, Visit } from '#local/asl/world.ts';

/** What a state yields when it has no Output of its own, and what its expressions see beside input and context. */
export interface Yield {
  readonly output: Sealed | undefined;
  readonly more?: More;
  readonly failure?: ErrorOutput;
}

/** Leaves a state one way. Throws States.QueryEvaluationError and States.DataLimitExceeded. */
export async function leave(visit: Visit, leaving: Leaving, yields: Yield): Promise<Leave> {
  const env = envOf(visit, yields.more);
  const where = visit.node.name;
  const computed =
    leaving.output === undefined ? undefined : sealed(await leaving.output(env), `the output of ${where}`);
  const assign = leaving.assign === undefined ? undefined : sealed(await leaving.assign(env), `Assign of ${where}`);
  const output = computed ?? yields.output ?? sealed(yields.more?.result, `the output of ${where}`);
  return { next: leaving.next, output, assign, failure: yields.failure ?? null };
}
