// The journal: one row per completed visit of a state, one per attempt that must outlive the process (retry, timer, token, Map).
// Every write is one prepared statement that commits by itself; after close() nothing is written any more.
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { ErrorOutput } from '#local/asl/errors.ts';
import { JournalFault } from '#local/asl/errors.ts';
import type { AttemptDetail, ExecutionStatus, TokenOutcome } from '#local/asl/rows.ts';

/** A new execution. `input` is JSON text, `deadline` null when the machine has no TimeoutSeconds. */
export interface NewExecution {
  readonly machine: string;
  readonly name: string;
  readonly input: string;
  readonly started: number;
  readonly deadline: number | null;
}

/** A completed visit; `output` and `assign` are JSON texts. */
export interface NewVisit {
  readonly execution: number;
  readonly path: string;
  readonly visit: number;
  readonly state: string;
  readonly type: string;
  readonly entered: number;
  readonly exited: number;
  readonly next: string | null;
  readonly output: string;
  readonly assign: string | null;
  readonly failure: ErrorOutput | null;
}

/** Which attempt of which visit. */
export interface AttemptKey {
  readonly execution: number;
  readonly path: string;
  readonly visit: number;
  readonly attempt: number;
}

export interface NewAttempt {
  readonly key: AttemptKey;
  readonly state: string;
  readonly detail: AttemptDetail;
  readonly token: string | null;
}

/** How an execution ended. */
export interface Ended {
  readonly status: ExecutionStatus;
  readonly at: number;
  readonly output: string | null;
  readonly error: ErrorOutput | null;
}

const SQL = {
  begin: 'INSERT INTO asl_executions (machine, name, input, started, deadline) VALUES (?, ?, ?, ?, ?)',
  visit: 'INSERT OR REPLACE INTO asl_visits VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
  attempt:
    'INSERT OR REPLACE INTO asl_attempts (execution, path, visit, attempt, state, detail, token) VALUES (?, ?, ?, ?, ?, ?, ?)',
  invoked: 'UPDATE asl_attempts SET invoked = ? WHERE execution = ? AND path = ? AND visit = ? AND attempt = ?',
  expire:
    'UPDATE asl_attempts SET outcome = ?, over = 1 WHERE execution = ? AND path = ? AND visit = ? AND attempt = ? AND over = 0',
  answer: 'UPDATE asl_attempts SET outcome = ?, over = 1 WHERE token = ? AND over = 0',
  end: "UPDATE asl_executions SET status = ?, ended = ?, output = ?, error = ?, cause = ? WHERE id = ? AND status = 'RUNNING'",
  announced: 'UPDATE asl_executions SET owed = 0 WHERE id = ?',
} as const;

/** The writing side. Throws JournalFault when the database refuses (a full disk, say). */
export class Journal {
  readonly #statements: Record<keyof typeof SQL, StatementSync>;
  #closed = false;

  constructor(db: DatabaseSync) {
    this.#statements = {
      begin: db.prepare(SQL.begin),
      visit: db.prepare(SQL.visit),
      attempt: db.prepare(SQL.attempt),
      invoked: db.prepare(SQL.invoked),
      expire: db.prepare(SQL.expire),
      answer: db.prepare(SQL.answer),
      end: db.prepare(SQL.end),
      announced: db.prepare(SQL.announced),
    };
  }

  get closed(): boolean {
    return this.#closed;
  }

  close(): void {
    this.#closed = true;
  }

  /** Opens an execution and answers its id. */
  begin(row: NewExecution): number {
    return this.#run('begin', [row.machine, row.name, row.input, row.started, row.deadline]).id;
  }

  visit(row: NewVisit): void {
    const failure = row.failure === null ? null : JSON.stringify(row.failure);
    this.#run('visit', [
      row.execution,
      row.path,
      row.visit,
      row.state,
      row.type,
      row.entered,
      row.exited,
      row.next,
      row.output,
      row.assign,
      failure,
    ]);
  }

  /** Writes or rewrites an attempt; rewriting forgets its token's answer, so it is only done before there is a token. */
  attempt(row: NewAttempt): void {
    this.#run('attempt', [...keyOf(row.key), row.state, JSON.stringify(row.detail), row.token]);
  }

  /** The function that was handed the token has returned: after a restart it is not called again. */
  invoked(key: AttemptKey, at: number): void {
    this.#run('invoked', [at, ...keyOf(key)]);
  }

  /** The attempt is over without an answer: its token is worth nothing from now on. `outcome` null: its scope was stopped. */
  expire(key: AttemptKey, outcome: TokenOutcome | null): void {
    this.#run('expire', [outcome === null ? null : JSON.stringify(outcome), ...keyOf(key)]);
  }

  /** Stores the answer to a token; false when the token has been answered or its attempt is over. */
  answer(token: string, outcome: TokenOutcome): boolean {
    return this.#run('answer', [JSON.stringify(outcome), token]).changes === 1;
  }

  /** Ends an execution; false when it had ended before. */
  end(id: number, how: Ended): boolean {
    const { status, at, output, error } = how;
    return this.#run('end', [status, at, output, error?.Error ?? null, error?.Cause ?? null, id]).changes === 1;
  }

  /** The listener has heard of the end. */
  announced(id: number): void {
    this.#run('announced', [id]);
  }

  #run(statement: keyof typeof SQL, values: (string | number | null)[]): { id: number; changes: number } {
    if (this.#closed) return { id: 0, changes: 0 };
    try {
      const { lastInsertRowid, changes } = this.#statements[statement].run(...values);
      return { id: Number(lastInsertRowid), changes: Number(changes) };
    } catch (thrown) {
      throw new JournalFault(thrown);
    }
  }
}

function keyOf(key: AttemptKey): [number, string, number, number] {
  return [key.execution, key.path, key.visit, key.attempt];
}
