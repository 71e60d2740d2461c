// Waits, marks and the inbox in SQLite: first outcome wins, a token only over a lower fence, marks for ever (architecture section 3).
import { Outcome, type Wait, type WaitKey } from '#shared/contracts/effects.ts';
import { compareFence } from '#shared/domain/fence.ts';
import type { Inbox, Marks, Waits } from '#shared/ports/waits.ts';
import type { Clock } from '#shared/ports/world.ts';
import type { Row, SqliteDatabase } from './sqlite-database.ts';
import { corruptFault } from './sqlite-faults.ts';
import { integerOf, jsonOf, textOf, textOrNull } from './sqlite-rows.ts';

/** How long a finished message is remembered: longer than any redelivery or redrive should take. */
const INBOX_MS = 7 * 24 * 3600 * 1000;

const BY_KEY = 'SELECT * FROM waits WHERE tenant = ? AND task = ? AND awaited = ? AND offer = ?';
const OF_TASK = 'SELECT * FROM waits WHERE tenant = ? AND task = ? ORDER BY awaited, offer';
const WRITE = `INSERT INTO waits (tenant, task, awaited, offer, token, fence, agreed, outcome, ended) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (tenant, task, awaited, offer) DO UPDATE SET
  token = excluded.token, fence = excluded.fence, agreed = excluded.agreed, outcome = excluded.outcome, ended = excluded.ended`;

/** Waits. Each write is one transaction: read, decide, write. */
export const sqliteWaits = (db: SqliteDatabase): Waits => {
  const find = (tenant: string, key: WaitKey): Wait | undefined => {
    const row = db.get(BY_KEY, [tenant, key.task, key.on, key.offer]);
    return row === undefined ? undefined : waitOf(db, row);
  };
  const write = (tenant: string, wait: Wait): void =>
    void db.run(WRITE, [tenant, wait.key.task, wait.key.on, wait.key.offer, ...columnsOf(wait)]);
  const change = (tenant: string, key: WaitKey, next: (wait: Wait) => Wait): Wait =>
    db.transaction(() => {
      const before = find(tenant, key) ?? blank(key);
      const after = next(before);
      if (after !== before) write(tenant, after);
      return after;
    });
  return {
    read: async (tenant, key) => find(tenant, key),
    of: async (tenant, task) => db.all(OF_TASK, [tenant, task]).map((row) => waitOf(db, row)),
    open: async (tenant, key) =>
      db.transaction(() => {
        const wait = find(tenant, key);
        if (wait === undefined) write(tenant, blank(key));
        return wait ?? blank(key);
      }),
    token: async (tenant, key, { token, fence }) =>
      change(tenant, key, (wait) => (compareFence(wait.fence, fence) < 0 ? { ...wait, token, fence } : wait)),
    agree: async (tenant, key) =>
      change(tenant, key, (wait) => (wait.outcome === null && !wait.agreed ? { ...wait, agreed: true } : wait)),
    outcome: async (tenant, key, outcome) =>
      change(tenant, key, (wait) => (wait.outcome === null ? { ...wait, outcome } : wait)),
    end: async (tenant, key, outcome) =>
      change(tenant, key, (wait) => (wait.ended ? wait : { ...wait, ended: true, outcome: wait.outcome ?? outcome })),
  };
};

/** Marks. */
export const sqliteMarks = (db: SqliteDatabase): Marks => ({
  set: async (tenant, record, cause) => {
    const sql = 'INSERT INTO marks (tenant, record, cause) VALUES (?, ?, ?) ON CONFLICT (tenant, record) DO NOTHING';
    db.run(sql, [tenant, record, cause]);
  },
  read: async (tenant, records) => {
    const sql = `SELECT cause FROM marks WHERE tenant = ? AND record IN (${records.map(() => '?').join(', ')}) LIMIT 1`;
    const row = db.get(sql, [tenant, ...records]);
    return row === undefined ? null : textOf(row, 'cause');
  },
});

/** The inbox as the bus uses it, without waiting, and its upkeep. */
export interface SqliteInbox extends Inbox {
  seenNow(consumer: string, message: string): boolean;
  doneNow(consumer: string, message: string): void;
  /** Forgets what was finished more than seven days before `now`; says how many. */
  gc(now: number): number;
}

/** Inbox. */
export const sqliteInbox = (db: SqliteDatabase, clock: Clock): SqliteInbox => {
  const seenNow = (consumer: string, message: string): boolean =>
    db.get('SELECT 1 FROM inbox WHERE consumer = ? AND message = ?', [consumer, message]) !== undefined;
  const doneNow = (consumer: string, message: string): void => {
    const sql =
      'INSERT INTO inbox (consumer, message, done_at) VALUES (?, ?, ?) ON CONFLICT (consumer, message) DO NOTHING';
    db.run(sql, [consumer, message, clock.now()]);
  };
  return {
    seenNow,
    doneNow,
    seen: async (consumer, message) => seenNow(consumer, message),
    done: async (consumer, message) => doneNow(consumer, message),
    gc: (now) => db.run('DELETE FROM inbox WHERE done_at < ?', [now - INBOX_MS]),
  };
};

const blank = (key: WaitKey): Wait => ({ key, token: null, fence: '', agreed: false, outcome: null, ended: false });

const columnsOf = (wait: Wait) => [
  wait.token,
  wait.fence,
  wait.agreed ? 1 : 0,
  wait.outcome === null ? null : JSON.stringify(wait.outcome),
  wait.ended ? 1 : 0,
];

function waitOf(db: SqliteDatabase, row: Row): Wait {
  const key = { task: textOf(row, 'task'), on: textOf(row, 'awaited'), offer: integerOf(row, 'offer') };
  return {
    key,
    token: textOrNull(row, 'token'),
    fence: textOf(row, 'fence'),
    agreed: row.agreed === 1,
    outcome: outcomeOf(db, key, textOrNull(row, 'outcome')),
    ended: row.ended === 1,
  };
}

function outcomeOf(db: SqliteDatabase, key: WaitKey, text: string | null): Outcome | null {
  if (text === null) return null;
  const what = `the outcome of ${key.task} on ${key.on}, offer ${key.offer}`;
  const parsed = Outcome.safeParse(jsonOf(db, text, what));
  if (parsed.success) return parsed.data;
  throw corruptFault(what, db.file, parsed.error);
}
