// Task: calls a function and, in its `.waitForTaskToken` form, waits for the answer.
import { callFunction, type Settled } from '#local/asl/call.ts';
import { firstOf, HALTED, type Halted } from '#local/asl/cancel.ts';
import { envOf } from '#local/asl/env.ts';
import { AslFault } from '#local/asl/errors.ts';
import { leave } from '#local/asl/leave.ts';
import type { TaskNode } from '#local/asl/nodes.ts';
import { copied } from '#local/asl/payload.ts';
import { millisOf } from '#local/asl/seconds.ts';
import { awaitAnswer } from '#local/asl/token.ts';
import type { Leave, Visit } from '#local/asl/world.ts';

/** Runs a Task. Throws the function's error, States.Timeout, States.HeartbeatTimeout. */
export async function runTask(visit: Visit, node: TaskNode): Promise<Leave | Halted> {
  const settled = node.callback ? await awaitAnswer(visit, node) : await invoke(visit, node);
  if (settled === HALTED) return HALTED;
  if (!settled.ok) throw settled.fault;
  const result = node.callback
    ? settled.value
    : { ExecutedVersion: '$LATEST', Payload: settled.value, StatusCode: 200 };
  return await leave(visit, node.leaving, { output: undefined, more: { result } });
}

async function invoke(visit: Visit, node: TaskNode): Promise<Settled | Halted> {
  const { world, cancel } = visit.scope;
  const env = envOf(visit);
  const payload = copied(await node.payload(env), `the payload of ${node.name}`);
  const limit = await millisOf(node.timeout, env, { name: 'TimeoutSeconds', least: 1 });
  return await firstOf<Settled>(cancel, (settle) => {
    void callFunction(world, node.functionName, payload).then(settle);
    return limit === undefined ? () => undefined : world.clock.timer(limit, () => settle(late(node, limit)));
  });
}

function late(node: TaskNode, limit: number): Settled {
  return { ok: false, fault: new AslFault('States.Timeout', `${node.name} took longer than ${limit / 1_000} s`) };
}
