// Forgetting a root task: the rows of everything below it, some hundred at a time, the root's own record last, so that a sweep
// that is cut off finds it again. Lessons are no part of it: they are what was learned.
import { MESSAGES } from '#shared/contracts/messages.ts';
import type { SqliteDatabase } from './sqlite-database.ts';

/** Rows in one transaction: a few milliseconds of the one writer, however large the task was. */
export const CHUNK = 500;

/** Behind every id that begins with a root's id: ids are ASCII. */
export const PREFIX_END = '\u{10ffff}';

/** Gives other work a turn between two transactions. */
export type Breathe = () => Promise<void>;

/** A DELETE of at most CHUNK rows, found by an index. */
export const deleteSome = (table: string, key: string, where: string): string =>
  `DELETE FROM ${table} WHERE ${key} IN (SELECT ${key.replace(/[()]/g, '')} FROM ${table} WHERE ${where} LIMIT ${CHUNK})`;

const UNDER_WAY = 'SELECT 1 FROM messages WHERE id >= ? AND id < ? LIMIT 1';
const OPEN = 'SELECT 1 FROM records WHERE tenant = ? AND root = ? AND open = 1 LIMIT 1';

const DEAD = deleteSome('dead_letters', 'seq', 'id >= ? AND id < ?');
const INBOX = deleteSome('inbox', '(consumer, message)', 'consumer = ? AND message >= ? AND message < ?');
const BY_PREFIX = [
  deleteSome('waits', '(tenant, task, awaited, offer)', 'tenant = ? AND task >= ? AND task < ?'),
  deleteSome('marks', '(tenant, record)', 'tenant = ? AND record >= ? AND record < ?'),
  deleteSome('ledgers', '(tenant, task)', 'tenant = ? AND task >= ? AND task < ?'),
];
const JOURNAL = deleteSome('journal', 'seq', 'tenant = ? AND root = ?');
const BELOW = deleteSome('records', '(tenant, id)', 'tenant = ? AND id > ? AND id < ?');
const ROOT = 'DELETE FROM records WHERE tenant = ? AND id = ?';

const CONSUMERS = [
  ...new Set(Object.values(MESSAGES).flatMap(({ consumer }) => (consumer === null ? [] : [consumer]))),
];

/** Whether nothing of a root can move any more: no open record below it, no message of it under way. */
export const isStill = (db: SqliteDatabase, tenant: string, root: string): boolean =>
  db.get(OPEN, [tenant, root]) === undefined && db.get(UNDER_WAY, [root, root + PREFIX_END]) === undefined;

/** Deletes what the stores hold of a root, but for its artifacts: another task may have begun from one. */
export const forgetRoot = async (
  db: SqliteDatabase,
  root: { tenant: string; id: string },
  breathe: Breathe,
): Promise<void> => {
  const { tenant, id } = root;
  const until = id + PREFIX_END;
  const rows: [string, string[]][] = [
    [DEAD, [id, until]],
    ...CONSUMERS.map((consumer): [string, string[]] => [INBOX, [consumer, id, until]]),
    ...BY_PREFIX.map((sql): [string, string[]] => [sql, [tenant, id, until]]),
    [JOURNAL, [tenant, id]],
    [BELOW, [tenant, id, until]],
  ];
  for (const [sql, params] of rows) {
    while (db.run(sql, params) === CHUNK) await breathe();
    await breathe();
  }
  db.run(ROOT, [tenant, id]);
};
