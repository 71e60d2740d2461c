// Connections of ACP clients in SQLite, and how far each has read the sessions it follows.
import { AcpConnection, Attachment } from '#shared/contracts/acp-session.ts';
import { HcaFault } from '#shared/contracts/errors.ts';
import type { Connections } from '#shared/ports/sessions.ts';
import type { SqliteDatabase } from './sqlite-database.ts';
import { bodyOf, integerOf, textOf } from './sqlite-rows.ts';

const CONNECT = `INSERT INTO acp_connections (tenant, id, subject, body) VALUES (?, ?, ?, ?)
  ON CONFLICT (tenant, id) DO UPDATE SET subject = excluded.subject, body = excluded.body`;
const GET = 'SELECT body FROM acp_connections WHERE tenant = ? AND id = ? AND subject = ?';
const ATTACH = `INSERT INTO acp_attachments (tenant, connection, session, version, body) VALUES (?, ?, ?, 1, ?)
  ON CONFLICT (tenant, connection, session) DO UPDATE SET version = version + 1, body = excluded.body`;
const ATTACHED = 'SELECT version, body FROM acp_attachments WHERE tenant = ? AND connection = ? ORDER BY session';
const FOLLOWERS = `SELECT connections.id, connections.body FROM acp_attachments AS attachments
  JOIN acp_connections AS connections
    ON connections.tenant = attachments.tenant AND connections.id = attachments.connection
  WHERE attachments.tenant = ? AND attachments.session = ? ORDER BY connections.id`;
const MOVE = `UPDATE acp_attachments SET version = ?, body = ?
  WHERE tenant = ? AND connection = ? AND session = ? AND version = ?`;

/** Connections. */
export const sqliteConnections = (db: SqliteDatabase): Connections => ({
  connect: async (connection) => {
    const { tenant, id, subject } = connection;
    db.run(CONNECT, [tenant, id, subject, JSON.stringify(connection)]);
  },
  connection: async ({ tenant, subject }, id) => {
    const row = db.get(GET, [tenant, id, subject]);
    return row === undefined ? undefined : bodyOf(db, row, { schema: AcpConnection, what: `the connection ${id}` });
  },
  disconnect: async (tenant, id) =>
    db.transaction(() => {
      db.run('DELETE FROM acp_attachments WHERE tenant = ? AND connection = ?', [tenant, id]);
      db.run('DELETE FROM acp_connections WHERE tenant = ? AND id = ?', [tenant, id]);
    }),
  attach: async (attachment) => {
    const { tenant, connection, session } = attachment;
    db.run(ATTACH, [tenant, connection, session, JSON.stringify({ ...attachment, version: 1, claimed_until: 0 })]);
  },
  attachments: async (tenant, connection) =>
    db.all(ATTACHED, [tenant, connection]).map((row) => ({
      ...bodyOf(db, row, { schema: Attachment, what: `what ${connection} follows` }),
      version: integerOf(row, 'version'),
    })),
  move: async (attachment) => {
    const { tenant, connection, session, version } = attachment;
    const body = JSON.stringify({ ...attachment, version: version + 1 });
    if (db.run(MOVE, [version + 1, body, tenant, connection, session, version]) === 1) return;
    throw new HcaFault('HcaConflict', { message: `another process reads ${session} for ${connection}` });
  },
  detach: async (tenant, connection, session) =>
    void db.run('DELETE FROM acp_attachments WHERE tenant = ? AND connection = ? AND session = ?', [
      tenant,
      connection,
      session,
    ]),
  followers: async (tenant, session) =>
    db
      .all(FOLLOWERS, [tenant, session])
      .map((row) => bodyOf(db, row, { schema: AcpConnection, what: `the connection ${textOf(row, 'id')}` })),
});
