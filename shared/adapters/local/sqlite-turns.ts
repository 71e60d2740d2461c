// Turns of ACP sessions in SQLite, and the requests to the client that belong to them. At most one turn of a session is open: an index says so.
import { AcpRequest, AcpTurn } from '#shared/contracts/acp-session.ts';
import type { Turns } from '#shared/ports/sessions.ts';
import type { Row, SqliteDatabase } from './sqlite-database.ts';
import { bodyOf, jsonOf, textOf, textOrNull } from './sqlite-rows.ts';

const BEGIN = `INSERT INTO acp_turns (tenant, id, session, version, open, over, submitted, caller, body)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`;
const SAVE = `UPDATE acp_turns SET version = ?, open = ?, over = ?, submitted = ?, body = ?
  WHERE tenant = ? AND id = ? AND version = ?`;
const CANCEL = 'UPDATE acp_turns SET cancel = ? WHERE tenant = ? AND id = ? AND cancel IS NULL';
const UNFINISHED = 'SELECT id, cancel, body FROM acp_turns WHERE tenant = ? AND session = ? AND over = 0 ORDER BY id';
const OF_CALLER = 'SELECT id, cancel, body FROM acp_turns WHERE tenant = ? AND caller = ?';
const OF_TASK = "SELECT id, cancel, body FROM acp_turns WHERE tenant = ? AND json_extract(body, '$.task') = ?";
const LAST = `SELECT id, cancel, body FROM acp_turns WHERE tenant = ? AND session = ? AND submitted = 1
  ORDER BY id DESC LIMIT 1`;
const ASK = 'INSERT INTO acp_requests (tenant, id, turn, body) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING';
const ASKED = 'SELECT id, sent_to, answer, body FROM acp_requests WHERE tenant = ? AND turn = ? ORDER BY id';
const REQUEST = 'SELECT id, sent_to, answer, body FROM acp_requests WHERE tenant = ? AND id = ?';
const SENT = 'UPDATE acp_requests SET sent_to = ? WHERE tenant = ? AND id = ? AND sent_to IS ?';
const ANSWER = 'UPDATE acp_requests SET answer = ? WHERE tenant = ? AND id = ? AND answer IS NULL';

/** Turns and requests. */
export const sqliteTurns = (db: SqliteDatabase): Turns => ({
  begin: async (turn) => {
    const { tenant, id, session, version, caller } = turn;
    return (
      db.run(BEGIN, [tenant, id, session, version, ...flagsOf(turn), callerKey(caller), JSON.stringify(turn)]) === 1
    );
  },
  saveTurn: async (turn) => {
    const next = { ...turn, version: turn.version + 1 };
    return (
      db.run(SAVE, [next.version, ...flagsOf(next), JSON.stringify(next), turn.tenant, turn.id, turn.version]) === 1
    );
  },
  cancelTurn: async (tenant, turn, cancel) => void db.run(CANCEL, [cancel, tenant, turn]),
  unfinished: async (tenant, session) => db.all(UNFINISHED, [tenant, session]).map((row) => turnOf(db, row)),
  turnOf: async (tenant, caller) => optional(db.get(OF_CALLER, [tenant, callerKey(caller)]), (row) => turnOf(db, row)),
  turnOfTask: async (tenant, task) => optional(db.get(OF_TASK, [tenant, task]), (row) => turnOf(db, row)),
  lastSubmitted: async (tenant, session) => optional(db.get(LAST, [tenant, session]), (row) => turnOf(db, row)),
  ask: async (request) => void db.run(ASK, [request.tenant, request.id, request.turn, JSON.stringify(request)]),
  asked: async (tenant, turn) => db.all(ASKED, [tenant, turn]).map((row) => requestOf(db, row)),
  request: async (tenant, id) => optional(db.get(REQUEST, [tenant, id]), (row) => requestOf(db, row)),
  sent: async (tenant, id, { from, connection }) => db.run(SENT, [connection, tenant, id, from]) === 1,
  answer: async (tenant, id, answer) => db.run(ANSWER, [JSON.stringify(answer), tenant, id]) === 1,
});

const flagsOf = (turn: AcpTurn): [number, number, number] => [
  turn.open ? 1 : 0,
  turn.stage === 'over' ? 1 : 0,
  turn.submitted ? 1 : 0,
];

const callerKey = ({ connection, rpc }: AcpTurn['caller']): string => JSON.stringify([connection, rpc]);

const optional = <T>(row: Row | undefined, read: (row: Row) => T): T | undefined =>
  row === undefined ? undefined : read(row);

/** The cancel mark lies beside the body, because it is set by another than the one who saves the turn. */
const turnOf = (db: SqliteDatabase, row: Row): AcpTurn => {
  const what = `the turn ${textOf(row, 'id')}`;
  const cancel = AcpTurn.shape.cancel.parse(textOrNull(row, 'cancel'));
  return { ...bodyOf(db, row, { schema: AcpTurn, what }), cancel };
};

const requestOf = (db: SqliteDatabase, row: Row): AcpRequest => {
  const what = `the request ${textOf(row, 'id')}`;
  const answer = textOrNull(row, 'answer');
  const stored = answer === null ? null : AcpRequest.shape.answer.parse(jsonOf(db, answer, what));
  return { ...bodyOf(db, row, { schema: AcpRequest, what }), sent_to: textOrNull(row, 'sent_to'), answer: stored };
};
