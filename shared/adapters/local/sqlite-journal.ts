// The journal in SQLite: appended once per record version or note, read below a root from an opaque cursor, followed live.
import { HcaFault } from '#shared/contracts/errors.ts';
import { Entry } from '#shared/contracts/journal.ts';
import type { Journal } from '#shared/ports/journal.ts';
import type { Row, SqliteDatabase } from './sqlite-database.ts';
import { bodyOf, integerOf } from './sqlite-rows.ts';

const INSERT = `INSERT INTO journal (tenant, root, record, version, note, body) VALUES (?, ?, ?, ?, ?, ?)
  ON CONFLICT (tenant, record, version, note) DO NOTHING RETURNING seq`;
const HAS = "SELECT 1 FROM journal WHERE tenant = ? AND record = ? AND version = ? AND note = ''";
const BELOW = 'SELECT seq, body FROM journal WHERE tenant = ? AND root = ? AND seq > ? ORDER BY seq LIMIT ?';
/** A cursor is the place of an entry in this file; readers must not look inside. */
const CURSOR = /^e([0-9a-z]{1,11})$/;

/** Told every entry right after it was stored, with the cursor that goes on behind it. Must not throw. */
export type Follower = (entry: Entry, cursor: string) => void;

/** The journal, and followers in this process. */
export interface SqliteJournal extends Journal {
  /** Follows until the function it gives back is called. An entry that was there already is not told again. */
  follow(follower: Follower): () => void;
}

/** Journal. SQLite has one writer at a time, so `seq` grows in the order of the commits and no entry appears behind a cursor. */
export const sqliteJournal = (db: SqliteDatabase): SqliteJournal => {
  const followers = new Set<Follower>();
  return {
    has: async (tenant, record, version) => db.get(HAS, [tenant, record, version]) !== undefined,
    read: async (tenant, root, { cursor, limit }) => {
      const rows = db.all(BELOW, [tenant, root, positionOf(cursor), limit]);
      const last = rows.at(-1);
      return {
        entries: rows.map((row) => entryOf(db, row)),
        cursor: last === undefined ? cursor : cursorOf(integerOf(last, 'seq')),
      };
    },
    append: async (entry) => {
      const { tenant, root, record, version, note } = entry;
      const row = db.get(INSERT, [tenant, root, record, version, note ?? '', JSON.stringify(entry)]);
      if (row === undefined) return;
      const cursor = cursorOf(integerOf(row, 'seq'));
      for (const follower of followers) follower(entry, cursor);
    },
    follow: (follower) => {
      followers.add(follower);
      return () => void followers.delete(follower);
    },
  };
};

const entryOf = (db: SqliteDatabase, row: Row): Entry =>
  bodyOf(db, row, { schema: Entry, what: `journal entry ${integerOf(row, 'seq')}` });

const cursorOf = (seq: number): string => `e${seq.toString(36)}`;

function positionOf(cursor: string): number {
  if (cursor === '') return 0;
  const digits = CURSOR.exec(cursor)?.[1];
  const position = digits === undefined ? Number.NaN : Number.parseInt(digits, 36);
  if (Number.isSafeInteger(position)) return position;
  throw new HcaFault('HcaBadInput', {
    message: 'this is no cursor of the journal',
    field: 'cursor',
    remedy: 'give the cursor of an earlier page, or none to begin at the beginning',
  });
}
