// Long synchronous file work gives the event loop a turn now and then, so that a host stays responsive.
import { setImmediate as turn } from 'node:timers/promises';

export class Breath {
  readonly #limit: number;
  #spent = 0;

  /** `limit`: work (entries, bytes; whatever the caller counts) between two turns. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  async spend(work: number): Promise<void> {
    this.#spent += work;
    if (this.#spent < this.#limit) return;
    this.#spent = 0;
    await turn();
  }
}
