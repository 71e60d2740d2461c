// A plain store of lessons in SQLite: every finished task keeps its own; found by filter, shared words and age (L3-LES, L3-KBQ).
import { Lesson, type LessonQuery } from '#shared/contracts/lesson.ts';
import type { LessonHit, Lessons } from '#shared/ports/world.ts';
import type { Row, SqliteDatabase } from './sqlite-database.ts';
import { bodyOf, textOf } from './sqlite-rows.ts';

/** How many of the newest that match the filter are ranked: keeps a query at a few ms however many lessons there are. */
const RANKED = 64;
/** Lessons kept read: a version is never changed, so what was read once stays true. */
const KEPT = 2048;
/** Weight of the age against shared words: newest against oldest of those ranked decides between equals only. */
const RECENCY = 0.1;
const WORD = /[\p{L}\p{N}]{2,}/gu;

const PUT = `INSERT INTO lessons (tenant, id, version, domain, family, created_at, newest, body)
  VALUES (?, ?, ?, ?, ?, ?, 1, ?) ON CONFLICT (tenant, id, version) DO NOTHING`;
const ONLY_NEWEST = `UPDATE lessons SET newest = (version = (SELECT max(version) FROM lessons WHERE tenant = ?1 AND id = ?2))
  WHERE tenant = ?1 AND id = ?2`;
const BODY = 'SELECT id, body FROM lessons WHERE tenant = ? AND id = ? AND version = ?';
const GET = 'SELECT id, body FROM lessons WHERE tenant = ? AND id = ? ORDER BY version DESC LIMIT 1';

/** Lessons. */
export const sqliteLessons = (db: SqliteDatabase): Lessons => {
  const read: Read = new Map();
  return lessonsOf(db, read);
};

const lessonsOf = (db: SqliteDatabase, read: Read): Lessons => ({
  query: async (tenant, query) => rank(newest(db, read, { tenant, query }), query),
  get: async (tenant, id) => {
    const row = db.get(GET, [tenant, id]);
    return row === undefined ? undefined : lessonOf(db, row);
  },
  put: async (tenant, lesson) =>
    db.transaction(() => {
      const { id, version, domain, family, created_at } = lesson;
      const isNew = db.run(PUT, [tenant, id, version, domain, family, created_at, JSON.stringify(lesson)]) === 1;
      if (isNew && version > 1) db.run(ONLY_NEWEST, [tenant, id]);
      return isNew;
    }),
});

/** A lesson with the words it is found by. */
interface Known {
  lesson: Lesson;
  words: ReadonlySet<string>;
}

type Read = Map<string, Known>;

/** The newest lessons that match domain and family, newest first; the narrowest index serves. */
function newest(db: SqliteDatabase, read: Read, { tenant, query }: { tenant: string; query: LessonQuery }): Known[] {
  const filters = [
    { column: 'family', value: query.family },
    { column: 'domain', value: query.domain },
  ].filter((filter) => filter.value !== undefined);
  const where = filters.map((filter) => `AND ${filter.column} = ?`).join(' ');
  const sql = `SELECT id, version FROM lessons WHERE tenant = ? AND newest = 1 ${where} ORDER BY created_at DESC LIMIT ${RANKED}`;
  const rows = db.all(sql, [tenant, ...filters.map((filter) => filter.value ?? '')]);
  return rows.map((row) => known(db, read, { tenant, row }));
}

function known(db: SqliteDatabase, read: Read, { tenant, row }: { tenant: string; row: Row }): Known {
  const key = `${tenant}/${textOf(row, 'id')}@${String(row.version)}`;
  const found = read.get(key);
  if (found !== undefined) return found;
  const body = db.get(BODY, [tenant, textOf(row, 'id'), Number(row.version)]) ?? {};
  const lesson = lessonOf(db, body);
  const fresh = {
    lesson,
    words: wordsOf(`${lesson.situation} ${lesson.advice} ${lesson.tags.join(' ')} ${lesson.family}`),
  };
  if (read.size >= KEPT) read.clear();
  read.set(key, fresh);
  return fresh;
}

/** Score: share of the query's words that the lesson has (0 to 1), plus a little for being new. */
function rank(all: Known[], query: LessonQuery): LessonHit[] {
  const asked = wordsOf(query.text);
  const tagged = all.filter(
    ({ lesson }) => query.tags.length === 0 || query.tags.some((tag) => lesson.tags.includes(tag)),
  );
  return tagged
    .map(({ lesson, words }, index) => ({
      lesson,
      score: overlap(asked, words) + RECENCY * (1 - index / tagged.length),
    }))
    .sort((a, b) => b.score - a.score)
    .slice(0, query.limit);
}

function overlap(asked: ReadonlySet<string>, has: ReadonlySet<string>): number {
  if (asked.size === 0) return 0;
  let shared = 0;
  for (const word of asked) if (has.has(word)) shared += 1;
  return shared / asked.size;
}

const wordsOf = (text: string): Set<string> => new Set(text.toLowerCase().match(WORD) ?? []);

const lessonOf = (db: SqliteDatabase, row: Row): Lesson =>
  bodyOf(db, row, { schema: Lesson, what: `lesson ${textOf(row, 'id')}` });
