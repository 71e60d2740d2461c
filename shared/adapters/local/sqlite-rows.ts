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
  const parsed = schema.safeParse(jsonOf(db, textOf(row, 'body'), what));
  if (parsed.success) return parsed.data;
  throw corruptFault(what, db.file, parsed.error);
};

/** Stored JSON. @throws HcaFault HcaCorrupt naming what it was. */
export const jsonOf = (db: SqliteDatabase, text: string, what: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (caught) {
    throw corruptFault(what, db.file, caught);
  }
};
