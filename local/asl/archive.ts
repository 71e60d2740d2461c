// The reading side of the journal: lookups by key for starting, describing, tokens, history and resume. Nothing here scans.
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import * as z from 'zod';
import { AttemptRow, ExecutionRow, VisitRow } from '#local/asl/rows.ts';

const TokenRow = z.object({ over: z.int(), status: z.string() });

const SQL = {
  named: 'SELECT * FROM asl_executions WHERE machine = ? AND name = ?',
  owed: 'SELECT * FROM asl_executions WHERE owed = 1 ORDER BY id',
  visits: 'SELECT * FROM asl_visits WHERE execution = ? ORDER BY path, visit',
  attempts: 'SELECT * FROM asl_attempts WHERE execution = ? ORDER BY path, visit, attempt',
  latest: 'SELECT * FROM asl_attempts WHERE execution = ? AND path = ? AND visit = ? ORDER BY attempt DESC LIMIT 1',
  token: 'SELECT a.over, e.status FROM asl_attempts a JOIN asl_executions e ON e.id = a.execution WHERE a.token = ?',
} as const;

/** Reads the journal. Rows that do not fit their schema are a bug or a corrupt file and throw. */
export class Archive {
  readonly #db: DatabaseSync;
  readonly #statements = new Map<keyof typeof SQL, StatementSync>();

  constructor(db: DatabaseSync) {
    this.#db = db;
  }

  named(machine: string, name: string): ExecutionRow | undefined {
    const row = this.#statement('named').get(machine, name);
    return row === undefined ? undefined : ExecutionRow.parse(row);
  }

  /** Executions that are open, or whose end nobody was told. */
  owed(): ExecutionRow[] {
    return z.array(ExecutionRow).parse(this.#statement('owed').all());
  }

  visits(execution: number): VisitRow[] {
    return z.array(VisitRow).parse(this.#statement('visits').all(execution));
  }

  attempts(execution: number): AttemptRow[] {
    return z.array(AttemptRow).parse(this.#statement('attempts').all(execution));
  }

  /** The last attempt of a visit that was journalled, if any was. */
  latestAttempt(execution: number, path: string, visit: number): AttemptRow | undefined {
    const row = this.#statement('latest').get(execution, path, visit);
    return row === undefined ? undefined : AttemptRow.parse(row);
  }

  /** 'waiting' when an answer to the token would still be taken. */
  token(token: string): 'unknown' | 'over' | 'waiting' {
    const row = this.#statement('token').get(token);
    if (row === undefined) return 'unknown';
    const { over, status } = TokenRow.parse(row);
    return over === 0 && status === 'RUNNING' ? 'waiting' : 'over';
  }

  #statement(name: keyof typeof SQL): StatementSync {
    const known = this.#statements.get(name);
    if (known !== undefined) return known;
    const prepared = this.#db.prepare(SQL[name]);
    this.#statements.set(name, prepared);
    return prepared;
  }
}
