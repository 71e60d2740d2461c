// How much each person has left, kept in memory: a host that starts again forgives.
import type { Principal } from '#shared/contracts/acp-host.ts';
import type { Limits, Paced } from '#shared/contracts/limits.ts';
import { type Bucket, rateOf, takeOne } from '#shared/domain/rate-limit.ts';

/** More people than this at once, and those who were quiet longest are forgotten: a bucket that is forgotten is full. */
const MOST = 10_000;

/** Takes one from a person's bucket; answers with the wait in ms, 0 for none. */
export const throttleOf = (limits: Limits, now: () => number) => {
  const buckets = new Map<string, Bucket>();
  return async ({ tenant, subject }: Principal, what: Paced): Promise<number> => {
    const key = JSON.stringify([what, tenant, subject]);
    const { bucket, wait_ms } = takeOne(buckets.get(key), rateOf(limits, what), now());
    // Deleted first, so that the map stays in the order of use.
    buckets.delete(key);
    buckets.set(key, bucket);
    const oldest = buckets.size > MOST ? buckets.keys().next().value : undefined;
    if (oldest !== undefined) buckets.delete(oldest);
    return wait_ms;
  };
};
