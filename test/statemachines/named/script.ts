// Plays a named path: hands out its moves call by call and notes every call, whichever runner makes them.
import type { Json, Move, NamedPath } from './path.ts';

/** One call of a step, as much of it as is the same on every runner. */
export interface Call {
  step: string;
  record: string;
  tick: number;
  retry: number;
  redrive: number;
  hasToken: boolean;
  /** The name of the error that the machine hands over. */
  error: string | null;
}

/** What came of walking a path. `states` are those outside a Map, each with what it put out; `output` null when it failed. */
export interface Walked {
  status: string;
  error: string | null;
  output: unknown;
  states: { name: string; output: unknown }[];
  /** Ordered by record, then as they came: the children of a Map run side by side. */
  calls: Call[];
  /** Calls that the path has no move for, and moves that nobody asked for. */
  unexpected: string[];
}

const TEN_MINUTES = 600_000;

export class Script {
  readonly #left: Map<string, Move[]>;
  readonly #calls: Call[] = [];
  readonly #unscripted: string[] = [];
  readonly #now: () => number;

  /** `now`: the runner's clock, milliseconds since 1970. */
  constructor(path: NamedPath, now: () => number) {
    this.#left = new Map(Object.entries(path.script).map(([step, moves]) => [step, [...moves]]));
    this.#now = now;
  }

  /** The move for a call. A call too many gets a fault that no machine retries. */
  next(step: string, payload: Json): Move {
    const { record, tick, retry, redrive, token, error } = payload as Json & { error?: { name: string } };
    this.#calls.push({
      step,
      record: String(record),
      tick: Number(tick),
      retry: Number(retry),
      redrive: Number(redrive),
      hasToken: typeof token === 'string' && token !== '',
      error: error?.name ?? null,
    });
    const move = (this.#left.get(`${step} ${String(record)}`) ?? this.#left.get(step))?.shift();
    if (move === undefined) this.#unscripted.push(`${step} ${String(record)} at ${String(tick)}`);
    return move === undefined ? { fault: 'HcaInternal' } : this.#timed(move);
  }

  get calls(): Call[] {
    const records = [...new Set(this.#calls.map(({ record }) => record))].toSorted();
    return records.flatMap((record) => this.#calls.filter((call) => call.record === record));
  }

  get unexpected(): string[] {
    const idle = [...this.#left].flatMap(([step, moves]) => moves.map(() => `${step} was not asked`));
    // The paths end the task's last steps alike; a path that never gets there does not use them.
    return [...this.#unscripted, ...idle.filter((each) => !/^(accept|compound) /.test(each))];
  }

  #timed(move: Move): Move {
    if (move.output?.deadline !== 'later') return move;
    return { ...move, output: { ...move.output, deadline: this.#now() + TEN_MINUTES } };
  }
}
