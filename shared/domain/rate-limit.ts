// A token bucket: it holds so much, fills at an even rate, and who finds too little in it is told how long to wait. Pure: the bucket is given and given
// back, so that a host may keep it in memory or in an item of a store.
import type { Limits, Paced } from '#shared/contracts/limits.ts';

/** What was left at a time (ms); fractions count. */
export interface Bucket {
  left: number;
  at: number;
}

/** At most `most` at once, and `most` again after `refill_ms`. */
export interface Rate {
  most: number;
  refill_ms: number;
}

/** Takes one. `wait_ms`: 0 when there was one, else how long until there is; then nothing was taken. A clock that went back changes nothing. */
export const takeOne = (
  bucket: Bucket | undefined,
  { most, refill_ms }: Rate,
  now: number,
): { bucket: Bucket; wait_ms: number } => {
  const passed = Math.max(0, now - (bucket?.at ?? now));
  const left = Math.min(most, (bucket?.left ?? most) + (passed * most) / refill_ms);
  const at = Math.max(now, bucket?.at ?? now);
  if (left >= ONE) return { bucket: { left: Math.max(0, left - 1), at }, wait_ms: 0 };
  return { bucket: { left, at }, wait_ms: Math.max(1, Math.ceil(((ONE - left) * refill_ms) / most)) };
};

/** Thirds of a piece do not add up to one exactly. */
const ONE = 1 - 1e-9;

/** How fast what is counted by time may come. */
export const rateOf = ({ frames, burst, prompts }: Limits, what: Paced): Rate =>
  what === 'frame' ? { most: burst, refill_ms: (burst * 1000) / frames } : { most: prompts, refill_ms: 60_000 };
