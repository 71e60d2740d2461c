// Forgetting ACP sessions that nobody has touched for long and no connection follows: with their turns, their requests and their own journal. What their tasks did goes with the
// tasks.
import type { SqliteDatabase } from './sqlite-database.ts';
import { type Breathe, CHUNK, deleteSome } from './sqlite-forget.ts';
import { textOf } from './sqlite-rows.ts';

const IDLE = `SELECT subject, id FROM acp_sessions WHERE tenant = ? AND json_extract(body, '$.updated_at') < ?
  AND NOT EXISTS (SELECT 1 FROM acp_turns AS turns
    WHERE turns.tenant = acp_sessions.tenant AND turns.session = acp_sessions.id AND turns.over = 0)
  AND NOT EXISTS (SELECT 1 FROM acp_attachments AS followed
    WHERE followed.tenant = acp_sessions.tenant AND followed.session = acp_sessions.id)
  LIMIT ${CHUNK}`;
const REQUESTS = `DELETE FROM acp_requests WHERE tenant = ? AND turn IN
  (SELECT id FROM acp_turns WHERE tenant = ? AND session = ?)`;
const JOURNAL = deleteSome('journal', 'seq', 'tenant = ? AND root = ?');

/** How many went. Cut off anywhere, the next time goes on: a session's own row goes last. */
export const forgetSessions = async (
  db: SqliteDatabase,
  { tenant, before }: { tenant: string; before: number },
  breathe: Breathe,
): Promise<number> => {
  let forgotten = 0;
  for (;;) {
    const idle = db.all(IDLE, [tenant, before]);
    for (const row of idle) {
      await forgetSession(db, { tenant, subject: textOf(row, 'subject'), id: textOf(row, 'id') }, breathe);
    }
    forgotten += idle.length;
    if (idle.length < CHUNK) return forgotten;
  }
};

const forgetSession = async (
  db: SqliteDatabase,
  { tenant, subject, id }: { tenant: string; subject: string; id: string },
  breathe: Breathe,
): Promise<void> => {
  while (db.run(JOURNAL, [tenant, id]) === CHUNK) await breathe();
  db.transaction(() => {
    db.run(REQUESTS, [tenant, tenant, id]);
    db.run('DELETE FROM acp_turns WHERE tenant = ? AND session = ?', [tenant, id]);
    db.run('DELETE FROM acp_sessions WHERE tenant = ? AND subject = ? AND id = ?', [tenant, subject, id]);
  });
  await breathe();
};
