// Columns of a row as the types they were written with: a row that somebody damaged is a fault, never a guess.
import type * as z from 'zod';
import type { Row, SqliteDatabase } from './sqlite-database.ts';
import { corruptFault } from './sqlite-faults.ts';

/** A text column. */
export const textOf = (row: Row, column: string): string => {
  const value = row[column];
  if (typeof value !== 'string') throw new TypeError(`column ${column} holds no text`);
  return value;
};

/** A text column that may be null. */
export const textOrNull = (row: Row, column: string): string | null =>
  row[column] === null ? null : textOf(row, column);

/** An integer column. */
export const integerOf = (row: Row, column: string): number => {
  const value = row[column];
  if (typeof value !== 'number') throw new TypeError(`column ${column} holds no integer`);
  return value;
};

/** How a stored body is read back: its schema, and what it is called when it is damaged. */
export interface Stored<T> {
  schema: z.ZodType<T>;
  what: string;
}

/** The `body` of a row, parsed by its contract. @throws HcaFault HcaCorrupt naming what it was. */
export const bodyOf = <T>(db: SqliteDatabase, row: Row, { schema, what }: Stored<T>): T => {
  const text = textOf(row, 'body');
  const known = memoOf(schema);
  const before = known.get(text);
  if (before !== undefined) return before;
  const parsed = schema.safeParse(jsonOf(db, text, what));
  if (!parsed.success) throw corruptFault(what, db.file, parsed.error);
  if (known.size >= REMEMBERED) known.clear();
  known.set(text, parsed.data);
  return parsed.data;
};

/** Bodies of one contract that were parsed lately: the same text is the same value, and nobody changes a value that was read. */
const REMEMBERED = 256;
const memos = new WeakMap<z.ZodType, Map<string, unknown>>();

function memoOf<T>(schema: z.ZodType<T>): Map<string, T> {
  const known = memos.get(schema);
  if (isMemoOf(known, schema)) return known;
  const fresh = new Map<string, T>();
  memos.set(schema, fresh);
  return fresh;
}

/** Only `memoOf` fills the memos, each with what its own schema parsed. */
function isMemoOf<T>(memo: Map<string, unknown> | undefined, schema: z.ZodType<T>): memo is Map<string, T> {
  return memo !== undefined && memos.get(schema) === memo;
}

/** Stored JSON. @throws HcaFault HcaCorrupt naming what it was. */
export const jsonOf = (db: SqliteDatabase, text: string, what: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (caught) {
    throw corruptFault(what, db.file, caught);
  }
};
