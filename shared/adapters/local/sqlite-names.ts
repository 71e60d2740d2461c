// What the remaining records name: snapshots and artifacts of others. Everything that looks like one counts, so a field that a
// contract gains tomorrow is kept as well; a hash too many only keeps something longer.
import type { SqliteDatabase } from './sqlite-database.ts';
import { type Breathe, CHUNK } from './sqlite-forget.ts';
import { integerOf, textOf } from './sqlite-rows.ts';

/** SHA-256 hashes (of trees, among others) and ids of artifacts. */
export interface Names {
  hashes: Set<string>;
  artifacts: Set<string>;
}

const HASH = /"([0-9a-f]{64})"/g;
/** `<task>/<iteration>/<name>`, as it stands in JSON. */
const ARTIFACT = /"([0-9A-HJKMNP-TV-Z]{26}[A-Za-z0-9_-]{0,44}\/\d+\/(?:[^"\\]|\\.)+)"/g;

/** Every table whose bodies may name something, with a key that grows. */
const PAGES = [
  `SELECT rowid AS at, body FROM records WHERE rowid > ? ORDER BY rowid LIMIT ${CHUNK}`,
  `SELECT seq AS at, body FROM messages WHERE seq > ? ORDER BY seq LIMIT ${CHUNK}`,
  `SELECT seq AS at, body FROM dead_letters WHERE seq > ? ORDER BY seq LIMIT ${CHUNK}`,
];

/** Walks all that is left, a page at a time. */
export const namesLeft = async (db: SqliteDatabase, breathe: Breathe): Promise<Names> => {
  const names: Names = { hashes: new Set(), artifacts: new Set() };
  for (const sql of PAGES) await eachPage(db, { sql, note: (body) => noteNames(names, body) }, breathe);
  return names;
};

/** The hashes that a text names. */
export const hashesIn = (text: string): string[] => [...text.matchAll(HASH)].map(([, hash]) => hash ?? '');

const eachPage = async (
  db: SqliteDatabase,
  { sql, note }: { sql: string; note: (body: string) => void },
  breathe: Breathe,
): Promise<void> => {
  for (let at = 0; ; ) {
    const page = db.all(sql, [at]);
    for (const row of page) note(textOf(row, 'body'));
    const last = page.at(-1);
    if (last === undefined || page.length < CHUNK) return;
    at = integerOf(last, 'at');
    await breathe();
  }
};

const noteNames = ({ hashes, artifacts }: Names, body: string): void => {
  for (const hash of hashesIn(body)) hashes.add(hash);
  for (const [quoted] of body.matchAll(ARTIFACT)) artifacts.add(String(JSON.parse(quoted)));
};
