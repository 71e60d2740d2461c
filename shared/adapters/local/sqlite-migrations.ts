// Numbered migrations, from day one: every table of the local stores, and how a database is brought up to date (architecture section 9).
import { HcaFault } from '#shared/contracts/errors.ts';
import { LESSON_TABLES } from './sqlite-lesson-tables.ts';
import { SESSION_LOOKUPS, SESSION_TABLES } from './sqlite-session-tables.ts';

/** The tables of one owner. `steps[n]` brings the area from version n to n + 1; a step that was released is never edited. */
export interface Migrations {
  area: string;
  steps: readonly (readonly string[])[];
}

/** What migrating asks of a connection. */
export interface MigrationTarget {
  readonly file: string;
  exec(sql: string): void;
  version(area: string): number;
  note(area: string, version: number): void;
}

/** Brings an area up to date, inside the caller's transaction. @throws HcaFault HcaCorrupt when the database is newer than this code. */
export const migrate = (target: MigrationTarget, { area, steps }: Migrations): void => {
  const stored = target.version(area);
  if (stored > steps.length) {
    throw new HcaFault('HcaCorrupt', {
      message: `the database ${target.file} is newer than this hca (${area} is at version ${stored}, known are ${steps.length})`,
      field: 'home',
      remedy: 'update hca, or use another home folder',
    });
  }
  for (const [index, statements] of steps.entries()) {
    if (index < stored) continue;
    for (const sql of statements) target.exec(sql);
    target.note(area, index + 1);
  }
};

/** The stores of architecture section 8. Every query below has an index; `body` comes last so that head columns are read without it. */
export const STORES: Migrations = {
  area: 'stores',
  steps: [
    [
      // `goal` is set for root tasks only and so marks them. `open` is 0 for delegations: they fill nobody's capacity.
      `CREATE TABLE records (
        tenant TEXT NOT NULL, id TEXT NOT NULL, root TEXT NOT NULL, kind TEXT NOT NULL, holon TEXT NOT NULL,
        state TEXT NOT NULL, open INTEGER NOT NULL, version INTEGER NOT NULL, opened_at INTEGER NOT NULL,
        ended_at INTEGER, goal TEXT, body TEXT NOT NULL, PRIMARY KEY (tenant, id)) STRICT`,
      'CREATE INDEX records_below ON records (tenant, root)',
      'CREATE INDEX records_open ON records (tenant, holon) WHERE open = 1',
      'CREATE INDEX records_roots ON records (tenant, id) WHERE goal IS NOT NULL',
      'CREATE INDEX records_open_roots ON records (tenant, id) WHERE goal IS NOT NULL AND open = 1',

      `CREATE TABLE waits (
        tenant TEXT NOT NULL, task TEXT NOT NULL, awaited TEXT NOT NULL, offer INTEGER NOT NULL, token TEXT,
        fence TEXT NOT NULL, agreed INTEGER NOT NULL, outcome TEXT, ended INTEGER NOT NULL,
        PRIMARY KEY (tenant, task, awaited, offer)) STRICT, WITHOUT ROWID`,
      `CREATE TABLE marks (
        tenant TEXT NOT NULL, record TEXT NOT NULL, cause TEXT NOT NULL,
        PRIMARY KEY (tenant, record)) STRICT, WITHOUT ROWID`,
      `CREATE TABLE inbox (
        consumer TEXT NOT NULL, message TEXT NOT NULL, done_at INTEGER NOT NULL,
        PRIMARY KEY (consumer, message)) STRICT, WITHOUT ROWID`,
      'CREATE INDEX inbox_age ON inbox (done_at)',

      `CREATE TABLE ledgers (
        tenant TEXT NOT NULL, task TEXT NOT NULL, body TEXT NOT NULL, PRIMARY KEY (tenant, task)) STRICT`,

      `CREATE TABLE journal (
        seq INTEGER PRIMARY KEY, tenant TEXT NOT NULL, root TEXT NOT NULL, record TEXT NOT NULL,
        version INTEGER NOT NULL, note TEXT NOT NULL, body TEXT NOT NULL) STRICT`,
      'CREATE UNIQUE INDEX journal_entry ON journal (tenant, record, version, note)',
      'CREATE INDEX journal_below ON journal (tenant, root)',

      'CREATE TABLE holons (tenant TEXT NOT NULL, id TEXT NOT NULL, body TEXT NOT NULL, PRIMARY KEY (tenant, id)) STRICT',
      'CREATE TABLE policies (tenant TEXT NOT NULL PRIMARY KEY, body TEXT NOT NULL) STRICT',

      `CREATE TABLE lessons (
        tenant TEXT NOT NULL, id TEXT NOT NULL, version INTEGER NOT NULL, domain TEXT NOT NULL, family TEXT NOT NULL,
        created_at INTEGER NOT NULL, newest INTEGER NOT NULL, body TEXT NOT NULL,
        PRIMARY KEY (tenant, id, version)) STRICT`,
      'CREATE INDEX lessons_all ON lessons (tenant, created_at) WHERE newest = 1',
      'CREATE INDEX lessons_family ON lessons (tenant, family, created_at) WHERE newest = 1',
      'CREATE INDEX lessons_domain ON lessons (tenant, domain, created_at) WHERE newest = 1',

      `CREATE TABLE artifacts (
        tenant TEXT NOT NULL, id TEXT NOT NULL, version INTEGER NOT NULL, root TEXT NOT NULL, body TEXT NOT NULL,
        PRIMARY KEY (tenant, id, version)) STRICT`,
      'CREATE INDEX artifacts_below ON artifacts (tenant, root)',
      'CREATE TABLE blobs (sha256 TEXT NOT NULL PRIMARY KEY, bytes BLOB NOT NULL) STRICT',

      `CREATE TABLE messages (
        seq INTEGER PRIMARY KEY, id TEXT NOT NULL, method TEXT NOT NULL, attempts INTEGER NOT NULL,
        body TEXT NOT NULL) STRICT`,
      'CREATE UNIQUE INDEX messages_once ON messages (id, method)',
      `CREATE TABLE dead_letters (
        seq INTEGER PRIMARY KEY, id TEXT NOT NULL, method TEXT NOT NULL, consumer TEXT, cause TEXT NOT NULL,
        attempts INTEGER NOT NULL, died_at INTEGER NOT NULL, body TEXT NOT NULL) STRICT`,
      'CREATE UNIQUE INDEX dead_letters_once ON dead_letters (id, method)',
    ],
    SESSION_TABLES,
    LESSON_TABLES,
    SESSION_LOOKUPS,
    [
      // Whose root task it is; those from before belong to the owner of the home.
      'ALTER TABLE records ADD COLUMN owner TEXT',
      "UPDATE records SET owner = 'owner' WHERE goal IS NOT NULL",
      'CREATE INDEX records_owned ON records (tenant, owner, id) WHERE goal IS NOT NULL',
      'CREATE INDEX records_open_owned ON records (tenant, owner, id) WHERE goal IS NOT NULL AND open = 1',
    ],
    [
      // Tasks that are over and owe their lesson have `open` 2.
      `UPDATE records SET open = 2 WHERE kind = 'task' AND ended_at IS NOT NULL AND open = 0
       AND json_extract(body, '$.lesson_pending') = 1`,
      'CREATE INDEX records_owing ON records (tenant, id) WHERE open = 2',
    ],
  ],
};
