// A runner for tests: in memory, with a clock turned by hand and functions given as a table.
import { DatabaseSync } from 'node:sqlite';
import type { Clock } from '#local/asl/clock.ts';
import { createAsl } from '#local/asl/create-asl.ts';
import { ASL_MIGRATIONS } from '#local/asl/migrations.ts';
import type { AslRunner, Execution, StatusChange } from '#local/asl/runner.ts';

export type Json = Record<string, unknown>;
export type Functions = Record<string, (payload: Json) => unknown>;

/** Midnight of a day in 2030; every test starts then. */
export const START = Date.UTC(2030, 0, 1);

/** A clock that only `advance` moves; timers fire in order of their time. */
export class HandClock implements Clock {
  #now = START;
  #timers: { at: number; fire: () => void }[] = [];

  now(): number {
    return this.#now;
  }

  timer(ms: number, fire: () => void): () => void {
    const timer = { at: this.#now + Math.max(0, ms), fire };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((each) => each !== timer);
    };
  }

  get pending(): number {
    return this.#timers.length;
  }

  /** The time until the next timer, or undefined when there is none. */
  get untilNext(): number | undefined {
    return this.#timers.length === 0 ? undefined : Math.min(...this.#timers.map((timer) => timer.at)) - this.#now;
  }

  /** Moves on without letting anything fire in between but timers due. */
  advance(ms: number): void {
    const end = this.#now + ms;
    for (;;) {
      const due = this.#timers.filter((timer) => timer.at <= end).sort((a, b) => a.at - b.at)[0];
      if (due === undefined) break;
      this.#timers = this.#timers.filter((each) => each !== due);
      this.#now = Math.max(this.#now, due.at);
      due.fire();
    }
    this.#now = end;
  }
}

export class Rig {
  readonly clock = new HandClock();
  readonly statuses: string[] = [];
  readonly calls: { name: string; payload: Json }[] = [];
  readonly suspended: unknown[] = [];
  readonly db: DatabaseSync;
  asl: AslRunner;
  readonly #options: { machine: Json; functions: Functions; random?: () => number };

  constructor(options: { machine: Json; functions?: Functions; random?: () => number; db?: DatabaseSync }) {
    this.#options = { ...options, functions: options.functions ?? {} };
    this.db = options.db ?? migrated();
    this.asl = this.make();
  }

  make(): AslRunner {
    const { machine, functions, random } = this.#options;
    return createAsl({
      db: this.db,
      machines: { m: machine },
      functions: Object.fromEntries(Object.keys(functions).map((name) => [name, name])),
      invoke: async (name, payload) => {
        this.calls.push({ name, payload: payload as Json });
        return await functions[name]?.(payload as Json);
      },
      clock: this.clock,
      random,
      onStatus: (change: StatusChange) => {
        this.statuses.push(`${change.name} ${change.status}`);
      },
      onSuspended: (_, reason) => this.suspended.push(reason),
    });
  }

  /** The process dies and another one starts on the same journal. */
  async restart(): Promise<void> {
    await this.asl.close();
    this.asl = this.make();
    this.asl.resume();
    await this.asl.idle();
  }

  /** Starts `x` and waits until nothing can go on by itself. */
  async begin(input: unknown = {}, name = 'x'): Promise<Execution> {
    this.asl.start({ machine: 'm', name }, input);
    return await this.now(name);
  }

  async now(name = 'x'): Promise<Execution> {
    await this.asl.idle();
    const execution = this.asl.describe({ machine: 'm', name });
    if (execution === undefined) throw new Error(`there is no execution ${name}`);
    return execution;
  }

  async after(ms: number, name = 'x'): Promise<Execution> {
    this.clock.advance(ms);
    return await this.now(name);
  }

  /** Turns the clock from timer to timer until the execution has ended. */
  async toEnd(name = 'x'): Promise<Execution> {
    for (;;) {
      const execution = await this.now(name);
      const next = this.clock.untilNext;
      if (execution.status !== 'RUNNING' || next === undefined) return execution;
      this.clock.advance(next);
    }
  }

  events(name = 'x'): string[] {
    return this.asl.history({ machine: 'm', name }).map((event) => event.type);
  }
}

export function migrated(path = ':memory:'): DatabaseSync {
  const db = new DatabaseSync(path);
  for (const sql of ASL_MIGRATIONS) db.exec(sql);
  return db;
}
