// One SQLite database through `node:sqlite`: opening, migrating, statements and transactions (architecture section 9).
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync, type SQLInputValue, type SQLOutputValue, type StatementSync } from 'node:sqlite';
import { fileFault, sqliteFault } from './sqlite-faults.ts';
import { type Migrations, type MigrationTarget, migrate, STORES } from './sqlite-migrations.ts';

export const MEMORY = ':memory:';
/** How long a writer waits for another process before it is told "busy". */
const BUSY_MS = 10_000;

export type Row = Record<string, SQLOutputValue>;

/** `folder` holds `hca.sqlite`, or is ':memory:'. `normal` survives the death of the process, `full` that of the power too. */
export interface DatabaseOptions {
  folder: string;
  durable?: 'normal' | 'full';
  migrations?: readonly Migrations[];
}

/** An open database. Every call is synchronous and throws HcaUnavailable or HcaCorrupt when the file is at fault. */
export interface SqliteDatabase {
  /** Absolute path of the file, or ':memory:'. */
  readonly file: string;
  /** The connection itself, for the machine runner, which shares it and keeps statements of its own. */
  readonly native: DatabaseSync;
  get(sql: string, params?: readonly SQLInputValue[]): Row | undefined;
  all(sql: string, params?: readonly SQLInputValue[]): Row[];
  /** Runs a write and says how many rows it changed. */
  run(sql: string, params?: readonly SQLInputValue[]): number;
  /** All or nothing, alone among all processes; called inside itself it joins the outer one. */
  transaction<T>(work: () => T): T;
  /** What SQLite finds wrong with the file; empty when it is sound. Reads the whole file: for `hca doctor`. */
  check(): string[];
  /** Every statement prepared so far, for the test that none of them scans. */
  statements(): string[];
  close(): void;
}

/** Opens (and makes) a database and brings it up to date. @throws HcaFault HcaCorrupt, HcaUnavailable */
export const openDatabase = (options: DatabaseOptions): SqliteDatabase => {
  const inMemory = options.folder === MEMORY;
  const file = inMemory ? MEMORY : path.resolve(options.folder, 'hca.sqlite');
  return guarded(file, () => {
    if (!inMemory) makeFolder(path.dirname(file));
    const db = new DatabaseSync(file, { timeout: BUSY_MS, enableForeignKeyConstraints: false });
    try {
      return prepared({ db, file }, options);
    } catch (caught) {
      db.close();
      throw caught;
    }
  });
};

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (caught) {
    throw fileFault(caught, folder);
  }
}

interface Connection {
  db: DatabaseSync;
  file: string;
}

function prepared(connection: Connection, options: DatabaseOptions): SqliteDatabase {
  const { db, file } = connection;
  db.exec('PRAGMA journal_mode = WAL');
  db.exec(`PRAGMA synchronous = ${options.durable === 'full' ? 'FULL' : 'NORMAL'}`);
  db.exec('PRAGMA temp_store = MEMORY');
  inTransaction(db, boundaries(db), () => {
    const target = migrationTarget(db, file);
    for (const migrations of [STORES, ...(options.migrations ?? [])]) migrate(target, migrations);
  });
  return connected(connection);
}

/** IMMEDIATE takes the write lock first: a reader that turns writer half-way would be refused without waiting. */
const boundaries = (db: DatabaseSync) => ({ begin: db.prepare('BEGIN IMMEDIATE'), commit: db.prepare('COMMIT') });

function connected({ db, file }: Connection): SqliteDatabase {
  const around = boundaries(db);
  const cache = new Map<string, StatementSync>();
  const statement = (sql: string): StatementSync => {
    const known = cache.get(sql);
    if (known !== undefined) return known;
    const fresh = db.prepare(sql);
    cache.set(sql, fresh);
    return fresh;
  };
  return {
    file,
    native: db,
    get: (sql, params = []) => guarded(file, () => statement(sql).get(...params)),
    all: (sql, params = []) => guarded(file, () => statement(sql).all(...params)),
    run: (sql, params = []) => guarded(file, () => Number(statement(sql).run(...params).changes)),
    transaction: (work) => guarded(file, () => inTransaction(db, around, work)),
    check: () => findings(db),
    statements: () => [...cache.keys()],
    close: () => {
      cache.clear();
      if (db.isOpen) db.close();
    },
  };
}

function inTransaction<T>(db: DatabaseSync, { begin, commit }: ReturnType<typeof boundaries>, work: () => T): T {
  if (db.isTransaction) return work();
  begin.run();
  try {
    const result = work();
    commit.run();
    return result;
  } catch (caught) {
    // A full disk has already rolled back by itself.
    if (db.isTransaction) db.exec('ROLLBACK');
    throw caught;
  }
}

function migrationTarget(db: DatabaseSync, file: string): MigrationTarget {
  db.exec(
    'CREATE TABLE IF NOT EXISTS migrations (area TEXT NOT NULL, version INTEGER NOT NULL, PRIMARY KEY (area, version)) STRICT',
  );
  const newest = db.prepare('SELECT max(version) AS version FROM migrations WHERE area = ?');
  const insert = db.prepare('INSERT INTO migrations (area, version) VALUES (?, ?)');
  return {
    file,
    exec: (sql) => db.exec(sql),
    version: (area) => Number(newest.get(area)?.version ?? 0),
    note: (area, version) => void insert.run(area, version),
  };
}

function findings(db: DatabaseSync): string[] {
  try {
    const rows = db.prepare('PRAGMA quick_check').all();
    return rows.map((row) => String(row.quick_check)).filter((line) => line !== 'ok');
  } catch (caught) {
    // A file may be too damaged even to be checked; that is a finding as well.
    return [caught instanceof Error ? caught.message : String(caught)];
  }
}

function guarded<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (caught) {
    throw sqliteFault(caught, file);
  }
}
