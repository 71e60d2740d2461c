// Waiting for a task token: issued and journalled before the function sees it, answered before or after the function returns,
// with a deadline that survives a restart. An attempt that ends without an answer takes its token with it.
import { randomBytes } from 'node:crypto';
import type { Settled } from '#local/asl/call.ts';
import { HALTED, type Halted } from '#local/asl/cancel.ts';
import { envOf } from '#local/asl/env.ts';
import { AslFault } from '#local/asl/errors.ts';
import type { Env } from '#local/asl/fast-path.ts';
import type { TaskNode } from '#local/asl/nodes.ts';
import { copied } from '#local/asl/payload.ts';
import type { TokenOutcome } from '#local/asl/rows.ts';
import { millisOf } from '#local/asl/seconds.ts';
import { type TokenAttempt, waitForAnswer } from '#local/asl/token-attempt.ts';
import { attemptKey, type Visit } from '#local/asl/world.ts';

/** The answer to this attempt's token, or why there is none. */
export async function awaitAnswer(visit: Visit, node: TaskNode): Promise<Settled | Halted> {
  const known = visit.memo?.outcome ?? undefined;
  if (known !== undefined) return settledBy(known);
  const attempt = await prepare(visit, node);
  const answered = answeredMeanwhile(visit);
  if (answered !== undefined) return settledBy(answered);
  const settled = await waitForAnswer(visit, attempt);
  if (settled === HALTED) visit.scope.world.journal.expire(attempt.key, null);
  return settled;
}

/** A token's outcome as the result or the error of the state. */
export function settledBy(outcome: TokenOutcome): Settled {
  if ('error' in outcome) return { ok: false, fault: new AslFault(outcome.error, outcome.cause) };
  return { ok: true, value: outcome.output };
}

/**
 * A token from before a restart may be answered at any moment until somebody waits for it again, so it is looked up when
 * nothing can come in between.
 */
function answeredMeanwhile(visit: Visit): TokenOutcome | undefined {
  if (visit.memo?.token == null) return undefined;
  const { execution, path, visit: number } = attemptKey(visit);
  return visit.scope.world.archive.latestAttempt(execution, path, number)?.outcome ?? undefined;
}

async function prepare(visit: Visit, node: TaskNode): Promise<TokenAttempt> {
  const token = visit.memo?.token ?? randomBytes(24).toString('base64url');
  const env = envOf(visit, { token });
  const call = await callOf(visit, node, env);
  const beat = await millisOf(node.heartbeat, env, { name: 'HeartbeatSeconds', least: 1 });
  const limit = (await millisOf(node.timeout, env, { name: 'TimeoutSeconds', least: 1 })) ?? 0;
  const until = visit.memo?.token == null ? issue(visit, token, limit) : (visit.memo.detail.until ?? 0);
  return { key: attemptKey(visit), token, until, beat, settledBy, call };
}

/** The call to make, or nothing when the function had returned before a restart. */
async function callOf(visit: Visit, node: TaskNode, env: Env): Promise<TokenAttempt['call']> {
  if (visit.memo !== undefined && visit.memo.invoked !== null) return undefined;
  const payload = copied(await node.payload(env), `the payload of ${node.name}`);
  return { functionName: node.functionName, payload };
}

/** Journals the token with its deadline, which it answers (milliseconds since 1970). */
function issue(visit: Visit, token: string, limit: number): number {
  const { journal, clock } = visit.scope.world;
  const after = visit.memo?.detail.after;
  const until = clock.now() + limit;
  const detail = {
    entered: visit.entered,
    begins: clock.now(),
    counters: [...visit.counters],
    ...(after === undefined ? {} : { after }),
    until,
  };
  journal.attempt({ key: attemptKey(visit), state: visit.node.name, detail, token });
  return until;
}
