// Shelves kept up to date: a snapshot to begin with, then the tail of what was stored since, whoever stored it. A snapshot that cannot be
// read costs time, never a lesson: the rows are the record (L3-KBS-01, L3-KBS-02).
import { Lesson } from '#shared/contracts/lesson.ts';
import { emptyShelf, type LessonShelf, openShelf } from '#shared/domain/knowledge/shelf.ts';
import type { Row, SqliteDatabase } from './sqlite-database.ts';
import { bodyOf, integerOf, textOf } from './sqlite-rows.ts';

/** The plus keeps the planner on the rowid: the tail is short, the tenant's lessons are not. */
const TAIL = 'SELECT rowid AS seq, id, body FROM lessons WHERE rowid > ? AND +tenant = ? ORDER BY rowid LIMIT ?';
const SNAPSHOT = 'SELECT seq, bytes FROM lesson_snapshots WHERE tenant = ?';
const KEEP = `INSERT INTO lesson_snapshots (tenant, seq, bytes) VALUES (?, ?, ?) ON CONFLICT (tenant) DO UPDATE
  SET seq = excluded.seq, bytes = excluded.bytes WHERE excluded.seq > seq`;

/** Rows of the tail that are taken in at a time. */
const PAGE = 1000;
/** A snapshot is written when the tail was this long, and a quarter of the shelf: constant work for each lesson, on average. */
const LONG_TAIL = 2000;
const SHARE = 4;

interface Shelved {
  shelf: LessonShelf;
  seq: number;
  /** Rows taken in since the snapshot. */
  tail: number;
}

/** Shelves by tenant, loaded once per process. */
export const lessonShelves = (db: SqliteDatabase): { of(tenant: string): LessonShelf } => {
  const shelves = new Map<string, Shelved>();
  return {
    of: (tenant) => {
      const shelved = shelves.get(tenant) ?? opened(db, tenant);
      shelves.set(tenant, shelved);
      takeTail(db, tenant, shelved);
      keepSnapshot(db, tenant, shelved);
      return shelved.shelf;
    },
  };
};

function opened(db: SqliteDatabase, tenant: string): Shelved {
  const row = db.get(SNAPSHOT, [tenant]);
  const shelf = row?.bytes instanceof Uint8Array ? openShelf(row.bytes) : null;
  if (row !== undefined && shelf !== null) return { shelf, seq: integerOf(row, 'seq'), tail: 0 };
  return { shelf: emptyShelf(), seq: 0, tail: 0 };
}

function takeTail(db: SqliteDatabase, tenant: string, shelved: Shelved): void {
  let rows: Row[];
  do {
    rows = db.all(TAIL, [shelved.seq, tenant, PAGE]);
    for (const row of rows) takeIn(db, shelved, row);
  } while (rows.length === PAGE);
}

function takeIn(db: SqliteDatabase, shelved: Shelved, row: Row): void {
  shelved.shelf.put(bodyOf(db, row, { schema: Lesson, what: `lesson ${textOf(row, 'id')}` }));
  shelved.seq = integerOf(row, 'seq');
  shelved.tail += 1;
}

function keepSnapshot(db: SqliteDatabase, tenant: string, shelved: Shelved): void {
  if (shelved.tail < Math.max(LONG_TAIL, shelved.shelf.size / SHARE)) return;
  db.run(KEEP, [tenant, shelved.seq, shelved.shelf.snapshot()]);
  shelved.tail = 0;
}
