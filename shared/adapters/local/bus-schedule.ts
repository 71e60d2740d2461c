// When the bus delivers what: first in, first out, so many at once, retries later.
import type { Timers } from './bus-pauses.ts';

/** What a schedule runs, and how. `run` must not reject. */
export interface Work<T> {
  run(item: T): Promise<void>;
  atOnce: number;
  timers: Timers;
}

/** A queue with a limit on how much runs at once. A turn of the event loop lies between batches: a chain of messages never starves timers and sockets. */
export class Schedule<T> {
  readonly #work: Work<T>;
  readonly #queue = new Fifo<T>();
  readonly #waiting = new Set<() => void>();
  readonly #listeners: (() => void)[] = [];
  #running = 0;
  #isOpen = false;
  #isDue = false;

  constructor(work: Work<T>) {
    this.#work = work;
  }

  /** Begins to run what is added. */
  open(): void {
    this.#isOpen = true;
    this.#request();
  }

  add(item: T): void {
    this.#queue.put(item);
    this.#request();
  }

  /** Adds it after a pause; nothing once closed. */
  later(ms: number, item: T): void {
    if (!this.#isOpen) return;
    const cancel = this.#work.timers.after(ms, () => {
      this.#waiting.delete(cancel);
      this.add(item);
    });
    this.#waiting.add(cancel);
  }

  /** Forgets what has not begun; resolves when nothing runs any more. */
  close(): Promise<void> {
    this.#isOpen = false;
    this.#queue.clear();
    for (const cancel of this.#waiting) cancel();
    this.#waiting.clear();
    return this.idle();
  }

  /** Resolves when nothing is queued, running or waiting for its time. */
  idle(): Promise<void> {
    return new Promise((resolve) => {
      this.#listeners.push(resolve);
      this.#settle();
    });
  }

  #request(): void {
    if (this.#isDue || !this.#isOpen || this.#queue.size === 0) return;
    this.#isDue = true;
    setImmediate(() => this.#turn());
  }

  #turn(): void {
    this.#isDue = false;
    while (this.#isOpen && this.#running < this.#work.atOnce) {
      const item = this.#queue.take();
      if (item === undefined) return;
      this.#running += 1;
      void this.#work.run(item.value).then(() => this.#finish());
    }
  }

  #finish(): void {
    this.#running -= 1;
    this.#request();
    this.#settle();
  }

  #settle(): void {
    const hasMore = this.#isOpen && (this.#queue.size > 0 || this.#waiting.size > 0);
    if (this.#running > 0 || hasMore) return;
    for (const resolve of this.#listeners.splice(0)) resolve();
  }
}

/** Taking from the front of a long array moves all of it; this one moves when half is gone. */
class Fifo<T> {
  #items: { value: T }[] = [];
  #first = 0;

  get size(): number {
    return this.#items.length - this.#first;
  }

  put(value: T): void {
    this.#items.push({ value });
  }

  take(): { value: T } | undefined {
    const item = this.#items[this.#first];
    if (item === undefined) return undefined;
    this.#first += 1;
    if (this.#first * 2 > this.#items.length) {
      this.#items = this.#items.slice(this.#first);
      this.#first = 0;
    }
    return item;
  }

  clear(): void {
    this.#items = [];
    this.#first = 0;
  }
}
