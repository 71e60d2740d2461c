// Turns at the processor: how many commands of all sessions run at once; the rest wait in order, which costs them nothing of their time limit.

export class Turns {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  /** `atOnce` is at least 1. */
  constructor(atOnce: number) {
    this.#free = Math.max(1, atOnce);
  }

  /** Runs `work` when it is its turn; the turn goes on to the next whatever became of it. */
  async take<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free += 1;
      else next();
    }
  }
}
