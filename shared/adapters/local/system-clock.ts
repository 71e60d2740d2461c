// The clock of the machine, and ULIDs that grow even within one millisecond.
import { monotonicFactory } from 'ulid';
import type { Clock } from '#shared/ports/world.ts';

/** A clock. `now` can be given for tests; ids then carry that time and still grow. */
export const systemClock = (now: () => number = Date.now): Clock => {
  const next = monotonicFactory();
  return { now, ulid: () => next(now()) };
};
