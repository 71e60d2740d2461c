// Time as the runner sees it, so that tests can turn it by hand.

/** `timer` calls `fire` once after `ms`, unless the function it returns is called first. */
export interface Clock {
  now(): number;
  timer(ms: number, fire: () => void): () => void;
}

/** setTimeout takes 31 bits of milliseconds (24.8 days) and fires at once above that; longer times are taken in stages. */
const LONGEST_STAGE = 2_147_483_647;

/** The machine's clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  timer: (ms, fire) => {
    let cancelled = false;
    let handle: NodeJS.Timeout | undefined;
    const arm = (rest: number): void => {
      if (cancelled) return;
      handle =
        rest <= LONGEST_STAGE
          ? setTimeout(fire, Math.max(0, rest))
          : setTimeout(() => arm(rest - LONGEST_STAGE), LONGEST_STAGE);
    };
    arm(ms);
    return () => {
      cancelled = true;
      clearTimeout(handle);
    };
  },
};
