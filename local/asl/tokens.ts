// Answers to task tokens: written first, then the waiting state is woken. What is too late is an answer, not an exception.
import { AslFault } from '#local/asl/errors.ts';
import { copied } from '#local/asl/payload.ts';
import type { TokenOutcome } from '#local/asl/rows.ts';
import type { TokenResult } from '#local/asl/runner.ts';
import type { World } from '#local/asl/world.ts';

/** SendTaskSuccess. */
export function answerSuccess(world: World, token: string, output: unknown): TokenResult {
  try {
    const copy = copied(output, 'the output for a task token');
    return answer(world, token, { output: copy ?? null, at: world.clock.now() });
  } catch (thrown) {
    if (thrown instanceof AslFault) return { ok: false, error: 'InvalidOutput' };
    throw thrown;
  }
}

/** SendTaskFailure. */
export function answerFailure(world: World, token: string, how: { error: string; cause: string }): TokenResult {
  return answer(world, token, { ...how, at: world.clock.now() });
}

/** SendTaskHeartbeat. */
export function beat(world: World, token: string): TokenResult {
  const refusal = refusalOf(world, token);
  if (refusal !== undefined) return refusal;
  world.tokens.get(token)?.heartbeat();
  return { ok: true };
}

function answer(world: World, token: string, outcome: TokenOutcome): TokenResult {
  const refusal = refusalOf(world, token);
  if (refusal !== undefined) return refusal;
  world.journal.answer(token, outcome);
  world.tokens.get(token)?.answered(outcome);
  return { ok: true };
}

/** The journal decides, so an answer is also taken for an execution that has not been resumed yet. */
function refusalOf(world: World, token: string): TokenResult | undefined {
  if (world.journal.closed) throw new Error('the ASL runner is closed; give the answer to the one that resumes');
  const standing = world.archive.token(token);
  if (standing === 'waiting') return undefined;
  return { ok: false, error: standing === 'unknown' ? 'TaskDoesNotExist' : 'TaskTimedOut' };
}
