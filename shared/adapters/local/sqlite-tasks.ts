// Records of tasks, delegations and reviews in SQLite: saved on the version that was read, under 100 KB each (architecture section 8).
import { HOME_OWNER } from '#shared/contracts/acp-host.ts';
import { HcaFault } from '#shared/contracts/errors.ts';
import { AnyRecord, TaskState } from '#shared/contracts/task.ts';
import { isTerminal, owesLesson } from '#shared/domain/lifecycle.ts';
import { recordText } from '#shared/domain/record-text.ts';
import type { RootRow, Tasks } from '#shared/ports/tasks.ts';
import type { Row, SqliteDatabase } from './sqlite-database.ts';
import { corruptFault } from './sqlite-faults.ts';
import { integerOf, jsonOf, textOf } from './sqlite-rows.ts';

const HEAD =
  'kind = ?, holon = ?, state = ?, open = ?, version = ?, opened_at = ?, ended_at = ?, goal = ?, owner = ?, body = ?';
const UPDATE = `UPDATE records SET ${HEAD} WHERE tenant = ? AND id = ? AND version = ?`;
const INSERT = `INSERT INTO records (kind, holon, state, open, version, opened_at, ended_at, goal, owner, body, tenant, id, root)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (tenant, id) DO NOTHING`;
/** Every tenant is behind the empty text: so the index is searched. */
const UNATTENDED = `SELECT tenant, id FROM records WHERE open = 1 AND tenant > ''
  UNION ALL SELECT tenant, id FROM records WHERE open = 2 AND tenant > ''`;
const ROOT_COLUMNS = 'id, goal, state, holon, opened_at, ended_at';

/**
 * `checked` parses every record by its whole contract on the way in and out. That costs 80 µs for a task of 8 KB (zod 4.6, against
 * 50 µs for reading its JSON), several times in every step, so a host leaves it off: what it reads back was written by this file on a checked
 * type, and a load compares the head with the columns beside it, which notices a damaged or exchanged row. Tests switch it on.
 */
export const sqliteTasks = (db: SqliteDatabase, options: { checked?: boolean } = {}): Tasks => {
  const read = recordReader(db, options.checked ?? false);
  const recent = recentRecords(options.checked ?? false);
  const written = (record: AnyRecord) => headValues(record, recordText(record, options.checked ?? false));
  const insert = (record: AnyRecord): boolean =>
    db.run(INSERT, [...written(record), record.tenant, record.id, record.root]) === 1;
  const update = (record: AnyRecord, expected: number): boolean =>
    db.run(UPDATE, [...written(record), record.tenant, record.id, expected]) === 1;
  return {
    load: async (tenant, id) => {
      const known = recent.get(tenant, id);
      if (known !== undefined && versionOf(db, tenant, id) === known.version) return known;
      const row = db.get('SELECT id, kind, version, body FROM records WHERE tenant = ? AND id = ?', [tenant, id]);
      if (row === undefined) return undefined;
      return recent.note(read(row));
    },
    below: async (tenant, root) =>
      db
        .all('SELECT id, kind, version, body FROM records WHERE tenant = ? AND root = ? ORDER BY rowid', [tenant, root])
        .map(read),
    openOf: async (tenant, holon) => {
      const row = db.get('SELECT count(*) AS n FROM records WHERE tenant = ? AND holon = ? AND open = 1', [
        tenant,
        holon,
      ]);
      return row === undefined ? 0 : integerOf(row, 'n');
    },
    roots: async (tenant, { limit, before, open, owner }) => {
      const only = `${open === true ? 'AND open = 1' : ''} ${owner === undefined ? '' : 'AND owner = ?'}`;
      const sql = `SELECT ${ROOT_COLUMNS} FROM records WHERE tenant = ? AND goal IS NOT NULL ${only} AND id < ? ORDER BY id DESC LIMIT ?`;
      const whose = owner === undefined ? [tenant] : [tenant, owner];
      return db.all(sql, [...whose, before ?? '\u{10ffff}', limit]).map(rootRow);
    },
    save: async (record, expected) => {
      // A record that its parent put has version 0 as well, so 0 means "create it, or change it while nobody has saved it".
      if (!(expected === 0 && insert(record)) && !update(record, expected)) throw lostRace(record, expected);
      recent.note(record);
    },
    put: async (record) => insert(record),
    // A home has few, and its machines run in this process: all are looked at, and nothing is noted.
    unattended: async () => db.all(UNATTENDED).map((row) => ({ tenant: textOf(row, 'tenant'), id: textOf(row, 'id') })),
    attend: async () => undefined,
  };
};

/** Records read or saved lately by this process; used only while the row still has the same version. */
const KEPT = 512;

interface Recent {
  get(tenant: string, id: string): AnyRecord | undefined;
  note(record: AnyRecord): AnyRecord;
}

function recentRecords(checked: boolean): Recent {
  const kept = new Map<string, AnyRecord>();
  return {
    get: (tenant, id) => kept.get(`${tenant}/${id}`),
    note: (record) => {
      if (checked) return record;
      if (kept.size >= KEPT) kept.clear();
      kept.set(`${record.tenant}/${record.id}`, record);
      return record;
    },
  };
}

const versionOf = (db: SqliteDatabase, tenant: string, id: string): unknown =>
  db.get('SELECT version FROM records WHERE tenant = ? AND id = ?', [tenant, id])?.version;

function headValues(record: AnyRecord, body: string) {
  const isRoot = record.kind === 'task' && record.id === record.root;
  return [
    record.kind,
    record.holon,
    record.state,
    openness(record),
    record.version,
    record.opened_at,
    record.ended_at,
    isRoot ? record.spec.goal : null,
    isRoot ? (record.owner ?? HOME_OWNER) : null,
    body,
  ];
}

/** 1: it fills its holon's capacity; 2: it is over but owes its lesson, and is listed for that alone. */
const openness = (record: AnyRecord): number => (owesLesson(record) ? 2 : Number(isOpen(record)));

/** Whether it fills its holon's capacity. A delegation fills nobody's: it is the parent's own view of a child. */
function isOpen(record: AnyRecord): boolean {
  if (record.kind === 'task') return !isTerminal(record.state);
  return record.kind === 'review' && record.state !== 'told';
}

function recordReader(db: SqliteDatabase, checked: boolean): (row: Row) => AnyRecord {
  return (row) => {
    const what = `record ${textOf(row, 'id')}`;
    const body = jsonOf(db, textOf(row, 'body'), what);
    if (!hasHeadOf(row, body)) throw corruptFault(what, db.file);
    if (!checked) return body;
    const parsed = AnyRecord.safeParse(body);
    if (parsed.success) return parsed.data;
    throw corruptFault(what, db.file, parsed.error);
  };
}

function hasHeadOf(row: Row, body: unknown): body is AnyRecord {
  if (typeof body !== 'object' || body === null) return false;
  return ['id', 'kind', 'version'].every((field) => Reflect.get(body, field) === row[field]);
}

function rootRow(row: Row): RootRow {
  return {
    id: textOf(row, 'id'),
    goal: textOf(row, 'goal'),
    state: TaskState.parse(row.state),
    holon: textOf(row, 'holon'),
    opened_at: integerOf(row, 'opened_at'),
    ended_at: row.ended_at === null ? null : integerOf(row, 'ended_at'),
  };
}

function lostRace(record: AnyRecord, expected: number): HcaFault {
  return new HcaFault('HcaConflict', {
    message: `the ${record.kind} ${record.id} is no longer at version ${expected}`,
  });
}
