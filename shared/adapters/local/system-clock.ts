// The clock of the machine, and ULIDs that grow even within one millisecond.
import { randomFillSync } from 'node:crypto';
import { monotonicFactory } from 'ulid';
import type { Clock } from '#shared/ports/world.ts';

/** A clock. `now` can be given for tests; ids then carry that time and still grow. */
export const systemClock = (now: () => number = Date.now): Clock => {
  const next = monotonicFactory(pooledRandom());
  return { now, ulid: () => next(now()) };
};

/** Random numbers of the system, drawn many at a time: an id asks for sixteen, and a call for each costs more than the id. */
function pooledRandom(): () => number {
  const pool = new Uint8Array(4096);
  let at = pool.length;
  return () => {
    if (at === pool.length) {
      randomFillSync(pool);
      at = 0;
    }
    const byte = pool[at] ?? 0;
    at += 1;
    return byte / 256;
  };
}
