// Waiting for a moment, without counting as running.
import { firstOf, type Halted } from '#local/asl/cancel.ts';
import type { Scope } from '#local/asl/world.ts';

/** Resolves at `at` (milliseconds since 1970), or with HALTED when the scope is stopped before. */
export function sleepUntil(scope: Scope, at: number): Promise<'awake' | Halted> {
  const { clock, activity } = scope.world;
  return firstOf<'awake'>(scope.cancel, (settle) => {
    activity.leave();
    const stop = clock.timer(at - clock.now(), () => settle('awake'));
    return () => {
      stop();
      activity.enter();
    };
  });
}
