// One attempt at a `.waitForTaskToken` state while this process waits: the call, the answer, the deadline, the heartbeats.
import { callFunction, type Settled } from '#local/asl/call.ts';
import { firstOf, type Halted } from '#local/asl/cancel.ts';
import { AslFault } from '#local/asl/errors.ts';
import type { AttemptKey } from '#local/asl/journal.ts';
import type { TokenOutcome } from '#local/asl/rows.ts';
import type { Visit, World } from '#local/asl/world.ts';

export interface TokenAttempt {
  readonly key: AttemptKey;
  readonly token: string;
  /** When it lapses, milliseconds since 1970. */
  readonly until: number;
  /** The longest silence between heartbeats, in milliseconds. */
  readonly beat: number | undefined;
  /** Undefined when the function had returned before a restart. */
  readonly call: { readonly functionName: string; readonly payload: unknown } | undefined;
  settledBy(outcome: TokenOutcome): Settled;
}

/** Waits for the first of: answer, failed call, deadline, silence, stop. */
export function waitForAnswer(visit: Visit, attempt: TokenAttempt): Promise<Settled | Halted> {
  const { world, cancel } = visit.scope;
  return firstOf<Settled>(cancel, (settle) => {
    const give = giveUp(world, attempt, settle);
    const parking = parkingOf(world);
    const heart = heartOf(world, attempt, give);
    const stopDeadline = world.clock.timer(attempt.until - world.clock.now(), () =>
      give(new AslFault('States.Timeout', 'no answer to the task token in time')),
    );
    world.tokens.set(attempt.token, {
      answered: (outcome) => settle(attempt.settledBy(outcome)),
      heartbeat: heart.restart,
    });
    if (attempt.call === undefined) parking.park();
    else void callFunction(world, attempt.call.functionName, attempt.call.payload).then(onReturn);
    return () => {
      world.tokens.delete(attempt.token);
      stopDeadline();
      heart.stop();
      parking.leave();
    };

    function onReturn(returned: Settled): void {
      if (parking.left()) return;
      if (!returned.ok) give(returned.fault);
      else if (noted(world, attempt, settle)) parking.park();
    }
  });
}

type Settle = (settled: Settled) => void;

/** The token dies in the journal, with the reason, in the same moment as the wait: no answer is taken that nobody reads. */
function giveUp(world: World, attempt: TokenAttempt, settle: Settle): (fault: Error) => void {
  return (fault) => {
    const outcome = { error: fault.name, cause: fault.message, at: world.clock.now() };
    if (attempted(() => world.journal.expire(attempt.key, outcome), settle)) settle({ ok: false, fault });
  };
}

function noted(world: World, attempt: TokenAttempt, settle: Settle): boolean {
  return attempted(() => world.journal.invoked(attempt.key, world.clock.now()), settle);
}

/** Runs a write from a callback; when the journal refuses, that is what the wait ends with. */
function attempted(write: () => void, settle: Settle): boolean {
  try {
    write();
    return true;
  } catch (thrown) {
    settle({ ok: false, fault: thrown instanceof Error ? thrown : new Error(String(thrown)) });
    return false;
  }
}

/** While the call runs the execution counts as running; after it, only the token is waited for. */
function parkingOf(world: World): { park(): void; leave(): void; left(): boolean } {
  let parked = false;
  let gone = false;
  return {
    park: () => {
      parked = true;
      world.activity.leave();
    },
    leave: () => {
      gone = true;
      if (parked) world.activity.enter();
    },
    left: () => gone,
  };
}

/** Heartbeats are not journalled: after a restart the first one is due a full interval later. */
function heartOf(world: World, attempt: TokenAttempt, give: (fault: Error) => void): { restart(): void; stop(): void } {
  const { beat } = attempt;
  let stop = (): void => undefined;
  const start = (): void => {
    if (beat === undefined) return;
    stop = world.clock.timer(beat, () => give(new AslFault('States.HeartbeatTimeout', 'no heartbeat in time')));
  };
  start();
  return {
    restart: () => {
      stop();
      start();
    },
    stop: () => stop(),
  };
}
