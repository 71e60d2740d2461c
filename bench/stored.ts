// Thousands of stored tasks at once: an ended one is run for real, and its rows are written again under other ids.
import type { Runtime } from '#local/runtime.ts';

/** Tables with something of a root, and the column that begins with its id. */
const TABLES = [
  ['records', 'id'],
  ['journal', 'record'],
  ['waits', 'task'],
  ['ledgers', 'task'],
  ['inbox', 'message'],
  ['artifacts', 'id'],
  ['asl_executions', 'name'],
] as const;

/** Keys that the database gives. */
const GIVEN = ['seq'];
const AT_ONCE = 500;

type Row = Record<string, string | number | bigint | Uint8Array | null>;
interface Template {
  table: string;
  rows: Row[];
  visits: Map<unknown, Row[]>;
}

/** Stores `count` copies of an ended task; gives their ids. */
export const storeCopies = (house: Runtime, root: string, count: number): string[] => {
  const { db } = house.storage;
  const templates = TABLES.map(([table, column]) => templateOf(house, { table, column }, root));
  const ids = Array.from({ length: count }, () => house.ports.clock.ulid());
  for (let at = 0; at < count; at += AT_ONCE) {
    db.transaction(() => {
      for (const id of ids.slice(at, at + AT_ONCE)) for (const template of templates) copy(house, template, [root, id]);
    });
  }
  return ids;
};

const templateOf = (
  { storage: { db } }: Runtime,
  { table, column }: { table: string; column: string },
  root: string,
): Template => {
  const rows: Row[] = db.all(`SELECT * FROM ${table} WHERE ${column} >= ? AND ${column} < ?`, [root, `${root}~`]);
  const visitsOf = (id: Row[string] | undefined): Row[] =>
    table === 'asl_executions' ? db.all('SELECT * FROM asl_visits WHERE execution = ?', [Number(id)]) : [];
  return { table, rows, visits: new Map(rows.map((row) => [row.id, visitsOf(row.id)])) };
};

const copy = (house: Runtime, { table, rows, visits }: Template, [old, fresh]: [string, string]): void => {
  for (const row of rows) {
    const isExecution = table === 'asl_executions';
    const id = insert(house, table, without(renamed(row, old, fresh), isExecution ? ['id'] : GIVEN));
    for (const visit of visits.get(row.id) ?? []) insert(house, 'asl_visits', { ...visit, execution: id });
  }
};

const renamed = (row: Row, old: string, fresh: string): Row =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      typeof value === 'string' ? value.replaceAll(old, fresh) : value,
    ]),
  );

const without = (row: Row, names: readonly string[]): Row =>
  Object.fromEntries(Object.entries(row).filter(([name]) => !names.includes(name)));

const insert = ({ storage: { db } }: Runtime, table: string, row: Row): number => {
  const places = Object.keys(row).map(() => '?');
  db.run(`INSERT INTO ${table} (${Object.keys(row).join(', ')}) VALUES (${places.join(', ')})`, Object.values(row));
  return Number(db.get('SELECT last_insert_rowid() AS id')?.id);
};
