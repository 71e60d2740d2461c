// Forgetting executions that are over: their attempts and visits some hundred at a time, the execution itself last.
import type { DatabaseSync } from 'node:sqlite';

/** Rows in one transaction. */
const CHUNK = 500;

/** The statements, for the test that each finds its rows by an index. */
export const FORGET_SQL = {
  next: 'SELECT id FROM asl_executions WHERE machine = ? AND name >= ? AND name < ? AND +owed = 0 ORDER BY name LIMIT 1',
  owed: 'SELECT 1 FROM asl_executions WHERE machine = ? AND name >= ? AND name < ? AND +owed = 1 LIMIT 1',
  attempts: `DELETE FROM asl_attempts WHERE (execution, path, visit, attempt) IN
    (SELECT execution, path, visit, attempt FROM asl_attempts WHERE execution = ? LIMIT ${CHUNK})`,
  visits: `DELETE FROM asl_visits WHERE (execution, path, visit) IN
    (SELECT execution, path, visit FROM asl_visits WHERE execution = ? LIMIT ${CHUNK})`,
  execution: 'DELETE FROM asl_executions WHERE id = ?',
} as const;

/** Executions of a machine whose names lie in [from, until). */
export interface Names {
  machine: string;
  from: string;
  until: string;
}

/** Whether one of them is open, or its end has not been announced. */
export const isOwed = (db: DatabaseSync, { machine, from, until }: Names): boolean =>
  db.prepare(FORGET_SQL.owed).get(machine, from, until) !== undefined;

/** Deletes the others. `breathe` is awaited between two transactions. */
export async function forgetExecutions(db: DatabaseSync, names: Names, breathe: () => Promise<void>): Promise<void> {
  const next = db.prepare(FORGET_SQL.next);
  for (;;) {
    const id = next.get(names.machine, names.from, names.until)?.id;
    if (typeof id !== 'number') return;
    await drain(db, { sql: FORGET_SQL.attempts, id }, breathe);
    await drain(db, { sql: FORGET_SQL.visits, id }, breathe);
    db.prepare(FORGET_SQL.execution).run(id);
    await breathe();
  }
}

async function drain(
  db: DatabaseSync,
  { sql, id }: { sql: string; id: number },
  breathe: () => Promise<void>,
): Promise<void> {
  const statement = db.prepare(sql);
  while (Number(statement.run(id).changes) === CHUNK) await breathe();
}
