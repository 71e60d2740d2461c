// When a message is delivered again: pauses, and the timers behind them. Time and chance come from outside.

/** Runs something later; the function it gives back calls it off. */
export interface Timers {
  after(ms: number, run: () => void): () => void;
}

export const realTimers: Timers = {
  after: (ms, run) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

/** First pause after a failed attempt; it doubles. */
const FIRST_MS = 100;
const LONGEST_MS = 30_000;

/** Pause before the attempt after `failures` failed ones: half of it fixed, half by chance, so that what failed together returns apart. */
export const backoff = (failures: number, random: () => number): number => {
  const ceiling = Math.min(LONGEST_MS, FIRST_MS * 2 ** (Math.max(1, failures) - 1));
  return ceiling / 2 + (ceiling / 2) * random();
};
