// Time that does not pass by itself: a clock turned by hand for records and machines, and bus timers that fire in order of their time at once.
import { monotonicFactory } from 'ulid';
import type { Clock as AslClock } from '#local/asl/clock.ts';
import type { Timers } from '#shared/adapters/local/bus-pauses.ts';
import type { Clock } from '#shared/ports/world.ts';

/** Midnight of a day in 2030; every test starts then. */
export const START = Date.UTC(2030, 0, 1);

interface Timer {
  at: number;
  fire: () => void;
}

/** The clock of records and machines alike; only `advance` moves it. */
export class VirtualClock implements Clock, AslClock {
  readonly #ulid: (time?: number) => string;
  #now: number;
  #timers = new Set<Timer>();

  constructor(random: () => number = Math.random, now = START) {
    this.#now = now;
    this.#ulid = monotonicFactory(random);
  }

  now(): number {
    return this.#now;
  }

  ulid(): string {
    return this.#ulid(this.#now);
  }

  timer(ms: number, fire: () => void): () => void {
    const timer = { at: this.#now + Math.max(0, ms), fire };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  /** Milliseconds until the next timer, or undefined when there is none. */
  get untilNext(): number | undefined {
    return this.#timers.size === 0 ? undefined : Math.min(...[...this.#timers].map(({ at }) => at)) - this.#now;
  }

  advance(ms: number): void {
    const end = this.#now + ms;
    for (;;) {
      const [due] = [...this.#timers].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
      if (due === undefined) break;
      this.#timers.delete(due);
      this.#now = Math.max(this.#now, due.at);
      due.fire();
    }
    this.#now = end;
  }
}

/** Bus timers: what is to come after fewer milliseconds comes first, and nobody waits for any of them. */
export const hastyTimers = (): Timers => {
  const timers = new Set<Timer>();
  let now = 0;
  let isDue = false;
  const turn = (): void => {
    isDue = false;
    let next: Timer | undefined;
    for (const timer of timers) if (next === undefined || timer.at < next.at) next = timer;
    if (next === undefined) return;
    timers.delete(next);
    now = next.at;
    next.fire();
    request();
  };
  const request = (): void => {
    if (isDue || timers.size === 0) return;
    isDue = true;
    setImmediate(turn);
  };
  return {
    after: (ms, run) => {
      const timer = { at: now + ms, fire: run };
      timers.add(timer);
      request();
      return () => timers.delete(timer);
    },
  };
};
