// Knows whether anything can go on without a timer or an answer from outside: what idle() waits for.

/** Counts what is running. Waiting for a timer, a token or the iterations of a Map does not count. */
export class Activity {
  #running = 0;
  #waiting: (() => void)[] = [];

  enter(): void {
    this.#running += 1;
  }

  leave(): void {
    this.#running -= 1;
    if (this.#running === 0 && this.#waiting.length > 0) setImmediate(() => this.#settle());
  }

  /** Resolves when nothing has been running for a whole turn of the event loop. */
  idle(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      setImmediate(() => this.#settle());
    });
  }

  #settle(): void {
    if (this.#running > 0) return;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }
}
