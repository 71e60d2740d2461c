// Wait: until a moment that is journalled on entry, so that a restart waits for what is left.
import { HALTED, type Halted } from '#local/asl/cancel.ts';
import { envOf } from '#local/asl/env.ts';
import { AslFault } from '#local/asl/errors.ts';
import { leave } from '#local/asl/leave.ts';
import type { WaitNode } from '#local/asl/nodes.ts';
import { millisOf } from '#local/asl/seconds.ts';
import { sleepUntil } from '#local/asl/sleep.ts';
import { attemptKey, type Leave, type Visit } from '#local/asl/world.ts';

/** Runs a Wait. */
export async function runWait(visit: Visit, node: WaitNode): Promise<Leave | Halted> {
  const until = visit.memo?.detail.until ?? (await enterWait(visit, node));
  if (until > visit.scope.world.clock.now() && (await sleepUntil(visit.scope, until)) === HALTED) return HALTED;
  return await leave(visit, node.leaving, { output: visit.scope.input });
}

async function enterWait(visit: Visit, node: WaitNode): Promise<number> {
  const { clock, journal } = visit.scope.world;
  const until = await moment(visit, node);
  const now = clock.now();
  if (until > now) {
    const detail = { entered: visit.entered, begins: now, counters: [], until };
    journal.attempt({ key: attemptKey(visit), state: node.name, detail, token: null });
  }
  return until;
}

async function moment(visit: Visit, node: WaitNode): Promise<number> {
  const env = envOf(visit);
  const { unit, value } = node.until;
  if (unit === 'seconds') return visit.entered + ((await millisOf(value, env, { name: 'Seconds', least: 0 })) ?? 0);
  const stamp = await value(env);
  const at = typeof stamp === 'string' ? Date.parse(stamp) : Number.NaN;
  if (!Number.isNaN(at)) return at;
  throw new AslFault('States.QueryEvaluationError', `Timestamp must be an ISO 8601 time, not ${JSON.stringify(stamp)}`);
}
