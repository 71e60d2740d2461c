// ACP sessions in SQLite: sessions and grants here, connections and turns in the files beside it (architecture 8).
import { AcpSession } from '#shared/contracts/acp-session.ts';
import type { Sessions } from '#shared/ports/sessions.ts';
import { sqliteConnections } from './sqlite-connections.ts';
import type { Row, SqliteDatabase } from './sqlite-database.ts';
import { bodyOf, textOf } from './sqlite-rows.ts';
import { sqliteTurns } from './sqlite-turns.ts';

const KEEP = `INSERT INTO acp_sessions (tenant, subject, id, cwd, body) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT (tenant, subject, id) DO UPDATE SET cwd = excluded.cwd, body = excluded.body`;
const GET = 'SELECT id, body FROM acp_sessions WHERE tenant = ? AND subject = ? AND id = ?';
const LIST = 'SELECT id, body FROM acp_sessions WHERE tenant = ? AND subject = ? AND id < ? ORDER BY id DESC LIMIT ?';
const LIST_IN =
  'SELECT id, body FROM acp_sessions WHERE tenant = ? AND subject = ? AND cwd = ? AND id < ? ORDER BY id DESC LIMIT ?';
const REQUESTS_OF =
  'DELETE FROM acp_requests WHERE tenant = ? AND turn IN (SELECT id FROM acp_turns WHERE tenant = ? AND session = ?)';
/** Sorts behind every id. */
const BEHIND = '~';

/** Sessions, and what only this host knows about its connections. */
export interface SqliteSessions extends Sessions {
  /** No connection outlives the process that held it. */
  forgetConnections(): void;
}

/** Sessions. */
export const sqliteSessions = (db: SqliteDatabase): SqliteSessions => ({
  ...sqliteConnections(db),
  ...sqliteTurns(db),
  keep: async (session) => {
    const { tenant, subject, id, cwd } = session;
    db.run(KEEP, [tenant, subject, id, cwd, JSON.stringify(session)]);
  },
  session: async ({ tenant, subject }, id) => {
    const row = db.get(GET, [tenant, subject, id]);
    return row === undefined ? undefined : sessionOf(db, row);
  },
  list: async ({ tenant, subject }, { cwd, before = BEHIND, limit }) => {
    const rows =
      cwd === undefined
        ? db.all(LIST, [tenant, subject, before, limit])
        : db.all(LIST_IN, [tenant, subject, cwd, before, limit]);
    return rows.map((row) => sessionOf(db, row));
  },
  remove: async ({ tenant, subject }, id) =>
    db.transaction(() => {
      const gone = db.run('DELETE FROM acp_sessions WHERE tenant = ? AND subject = ? AND id = ?', [
        tenant,
        subject,
        id,
      ]);
      if (gone === 0) return;
      db.run(REQUESTS_OF, [tenant, tenant, id]);
      db.run('DELETE FROM acp_turns WHERE tenant = ? AND session = ?', [tenant, id]);
    }),
  allowed: async ({ tenant, subject }, folder) =>
    db.get('SELECT 1 FROM acp_grants WHERE tenant = ? AND subject = ? AND folder = ?', [tenant, subject, folder]) !==
    undefined,
  allow: async ({ tenant, subject }, folder) =>
    void db.run('INSERT INTO acp_grants (tenant, subject, folder) VALUES (?, ?, ?) ON CONFLICT DO NOTHING', [
      tenant,
      subject,
      folder,
    ]),
  disallow: async ({ tenant, subject }, folder) =>
    void db.run('DELETE FROM acp_grants WHERE tenant = ? AND subject = ? AND folder = ?', [tenant, subject, folder]),
  forgetConnections: () =>
    db.transaction(() => {
      db.run('DELETE FROM acp_attachments');
      db.run('DELETE FROM acp_connections');
    }),
});

const sessionOf = (db: SqliteDatabase, row: Row): AcpSession =>
  bodyOf(db, row, { schema: AcpSession, what: `the session ${textOf(row, 'id')}` });
