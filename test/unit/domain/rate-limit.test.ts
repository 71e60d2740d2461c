// The bucket never gives more than its rate, whatever order and times it is asked in, and says exactly how long to wait.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Limits } from '#shared/contracts/limits.ts';
import { type Bucket, rateOf, takeOne } from '#shared/domain/rate-limit.ts';

it('gives what it holds at once, then one after the wait that it names', () => {
  const rate = { most: 3, refill_ms: 3000 };
  let bucket: Bucket | undefined;
  const take = (now: number) => {
    const taken = takeOne(bucket, rate, now);
    bucket = taken.bucket;
    return taken.wait_ms;
  };
  expect([take(0), take(0), take(0), take(0)]).toEqual([0, 0, 0, 1000]);
  expect([take(999), take(1000), take(1000)]).toEqual([1, 0, 1000]);
  expect([take(500), take(2000), take(99_000), take(99_000), take(99_000), take(99_000)]).toEqual([
    1000, 0, 0, 0, 0, 1000,
  ]);
});

it('in any span it gives no more than it holds and what flows in meanwhile', () => {
  const asks = fc.array(fc.nat(5000), { minLength: 1, maxLength: 200 });
  fc.assert(
    fc.property(asks, fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 5000 }), (times, most, refill_ms) => {
      const sorted = times.toSorted((a, b) => a - b);
      let bucket: Bucket | undefined;
      let given = 0;
      for (const now of sorted) {
        const taken = takeOne(bucket, { most, refill_ms }, now);
        bucket = taken.bucket;
        if (taken.wait_ms === 0) given += 1;
        else expect(takeOne(bucket, { most, refill_ms }, now + taken.wait_ms).wait_ms).toBeLessThanOrEqual(1);
      }
      const span = (sorted.at(-1) ?? 0) - (sorted[0] ?? 0);
      expect(given).toBeLessThanOrEqual(most + (span * most) / refill_ms + 1e-6);
    }),
  );
});

it('limits become rates: so many a second with a burst, so many a minute', () => {
  const limits = Limits.parse({ frames: 10, burst: 50, prompts: 6 });
  expect(rateOf(limits, 'frame')).toEqual({ most: 50, refill_ms: 5000 });
  expect(rateOf(limits, 'prompt')).toEqual({ most: 6, refill_ms: 60_000 });
});
