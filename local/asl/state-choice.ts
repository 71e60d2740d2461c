// Choice: the first rule whose condition holds, with that rule's Output and Assign; else Default with the state's own.
import { envOf } from '#local/asl/env.ts';
import { AslFault } from '#local/asl/errors.ts';
import { leave } from '#local/asl/leave.ts';
import type { ChoiceNode, Leaving } from '#local/asl/nodes.ts';
import type { Leave, Visit } from '#local/asl/world.ts';

/** Runs a Choice. Throws States.NoChoiceMatched when no rule holds and there is no Default. */
export async function runChoice(visit: Visit, node: ChoiceNode): Promise<Leave> {
  const leaving = (await firstRule(visit, node)) ?? node.otherwise;
  if (leaving === undefined) throw new AslFault('States.NoChoiceMatched', `no rule of ${node.name} holds`);
  return await leave(visit, leaving, { output: visit.scope.input });
}

async function firstRule(visit: Visit, node: ChoiceNode): Promise<Leaving | undefined> {
  const env = envOf(visit);
  for (const { condition, leaving } of node.rules) {
    const holds = await condition(env);
    if (typeof holds !== 'boolean') {
      const given = JSON.stringify(holds);
      throw new AslFault(
        'States.QueryEvaluationError',
        `a Condition of ${node.name} yields ${given}, not true or false`,
      );
    }
    if (holds) return leaving;
  }
  return undefined;
}
