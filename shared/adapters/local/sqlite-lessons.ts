// Lessons in SQLite: the record, version by version; found through an index in memory that takes in the tail before every query, so that
// the very next question finds a lesson (L3-LES, L3-KBS, L3-KBQ).
import { Lesson, LessonQuery } from '#shared/contracts/lesson.ts';
import { byProof } from '#shared/domain/knowledge/proof.ts';
import type { Ranked } from '#shared/domain/knowledge/shelf.ts';
import { lastMoved } from '#shared/domain/knowledge/upkeep.ts';
import type { Clock, LessonHit, Lessons, LessonsRead } from '#shared/ports/world.ts';
import type { Row, SqliteDatabase } from './sqlite-database.ts';
import { lessonShelves } from './sqlite-lesson-shelves.ts';
import { bodyOf, textOf } from './sqlite-rows.ts';

const PUT = `INSERT INTO lessons (tenant, id, version, domain, family, created_at, newest, cause, moved_at, decays, body)
  VALUES (?, ?, ?, ?, ?, ?, 1, ?, ?, ?, ?) ON CONFLICT (tenant, id, version) DO NOTHING`;
const ONLY_NEWEST = `UPDATE lessons SET newest = (version = (SELECT max(version) FROM lessons WHERE tenant = ?1 AND id = ?2))
  WHERE tenant = ?1 AND id = ?2`;
const CAUSED = 'SELECT 1 FROM lessons WHERE tenant = ? AND id = ? AND cause = ?';
const VERSION = 'SELECT id, body FROM lessons WHERE tenant = ? AND id = ? AND version = ?';
const NEWEST = 'SELECT id, body FROM lessons WHERE tenant = ? AND id = ? ORDER BY version DESC LIMIT 1';
const VERSIONS = 'SELECT id, body FROM lessons WHERE tenant = ? AND id = ? ORDER BY version';
const LIST = 'SELECT id, body FROM lessons WHERE tenant = ? AND id > ? AND newest = 1 ORDER BY id LIMIT ?';
const IDLE = `SELECT id, body FROM lessons WHERE tenant = ? AND moved_at < ? AND newest = 1 AND decays = 1
  ORDER BY moved_at LIMIT ?`;
const KEY = 'SELECT value FROM lesson_keys WHERE tenant = ? AND key = ?';
const CLAIM = 'INSERT INTO lesson_keys (tenant, key, value) VALUES (?, ?, ?) ON CONFLICT (tenant, key) DO NOTHING';

/** Lessons; the clock says how old they are. */
export const sqliteLessons = (db: SqliteDatabase, clock: Clock): Lessons => ({ ...reading(db, clock), ...writing(db) });

const reading = (db: SqliteDatabase, clock: Clock): LessonsRead => {
  const shelves = lessonShelves(db);
  const lessons = (sql: string, params: (string | number)[]) => db.all(sql, params).map((row) => lessonOf(db, row));
  return {
    query: async (tenant, question) => {
      const found = shelves.of(tenant).search(LessonQuery.parse(question), clock.now());
      return found.flatMap((ranked) => hitOf(db, tenant, ranked)).toSorted(byScore);
    },
    get: async (tenant, id, version) =>
      (version === undefined ? lessons(NEWEST, [tenant, id]) : lessons(VERSION, [tenant, id, version]))[0],
    versions: async (tenant, id) => lessons(VERSIONS, [tenant, id]),
    list: async (tenant, { limit, after }) => lessons(LIST, [tenant, after ?? '', limit]),
    idle: async (tenant, { before, limit }) => lessons(IDLE, [tenant, before, limit]),
    found: async (tenant, keys) => keysOf(db, tenant, keys),
  };
};

const writing = (db: SqliteDatabase): Pick<Lessons, 'put' | 'claim'> => ({
  put: async (tenant, lesson) => db.transaction(() => putOne(db, tenant, lesson)),
  claim: async (tenant, keys, what) => db.transaction(() => claimAll(db, tenant, { keys, ...what })),
});

function putOne(db: SqliteDatabase, tenant: string, lesson: Lesson): 'stored' | 'there' | 'conflict' {
  const { id, version } = lesson;
  const cause = causeOf(lesson);
  if (cause !== null && db.get(CAUSED, [tenant, id, cause]) !== undefined) return 'there';
  if (db.run(PUT, [tenant, id, ...columnsOf(lesson), JSON.stringify(lesson)]) === 0)
    return cause === null ? 'there' : 'conflict';
  if (version > 1) db.run(ONLY_NEWEST, [tenant, id]);
  return 'stored';
}

interface Claim {
  keys: readonly string[];
  value: string;
  found: readonly (string | null)[];
}

function claimAll(db: SqliteDatabase, tenant: string, { keys, value, found }: Claim): boolean {
  if (keysOf(db, tenant, keys).some((now, at) => now !== found[at])) return false;
  for (const key of keys) db.run(CLAIM, [tenant, key, value]);
  return true;
}

const causeOf = ({ change }: Lesson): string | null => (change.cause === '' ? null : change.cause);

const columnsOf = (lesson: Lesson) => {
  const { version, domain, family, created_at, trust } = lesson;
  const decays = trust === 'provisional' ? 1 : 0;
  return [version, domain, family, created_at, causeOf(lesson), lastMoved(lesson), decays];
};

const hitOf = (db: SqliteDatabase, tenant: string, { id, ...how }: Ranked): LessonHit[] => {
  const row = db.get(NEWEST, [tenant, id]);
  return row === undefined ? [] : [{ lesson: lessonOf(db, row), ...how }];
};

const byScore = (a: LessonHit, b: LessonHit): number => b.score - a.score || byProof(a.lesson, b.lesson);

const keysOf = (db: SqliteDatabase, tenant: string, keys: readonly string[]): (string | null)[] =>
  keys.map((key) => {
    const row = db.get(KEY, [tenant, key]);
    return row === undefined ? null : textOf(row, 'value');
  });

const lessonOf = (db: SqliteDatabase, row: Row): Lesson =>
  bodyOf(db, row, { schema: Lesson, what: `lesson ${textOf(row, 'id')}` });
