// The rows of the durable bus: what is under way, what is finished and what is dead. Every change of state is one transaction.
import { HcaFault } from '#shared/contracts/errors.ts';
import type { Message } from '#shared/contracts/messages.ts';
import type { Clock } from '#shared/ports/world.ts';
import type { Row, SqliteDatabase } from './sqlite-database.ts';
import { integerOf, textOf, textOrNull } from './sqlite-rows.ts';
import type { SqliteInbox } from './sqlite-waits.ts';

/** Largest message in bytes of its JSON: what an entry of the EventBridge bus holds, so that both hosts refuse the same. */
const MESSAGE_BYTES = 256 * 1024;
const SURELY_SMALL = MESSAGE_BYTES / 3;
/** Rows that are read at once when all are walked. */
const PAGE = 500;
/** Longest cause that is kept with a dead letter. */
const CAUSE_CHARS = 2000;

/** What makes a message one: its id and its method. */
export interface Saying {
  id: string;
  method: string;
}

/** A message under way, its body still JSON. */
export interface Letter extends Saying {
  body: string;
}

/** A message that will not be delivered unless somebody redrives it. `consumer` is null when nobody subscribes to its method. */
export interface DeadLetter extends Letter {
  consumer: string | null;
  cause: string;
  attempts: number;
  died_at: number;
}

/** The rows. */
export interface BusRows {
  /** Stores all or none; gives those that were not there yet. @throws HcaFault HcaTooLarge, HcaUnavailable */
  insert(messages: readonly Message[]): Saying[];
  undelivered(): Saying[];
  take(saying: Saying): Letter | undefined;
  seen(consumer: string, saying: Saying): boolean;
  /** The consumer has finished: noted in the inbox, the row deleted. */
  done(consumer: string, saying: Saying): void;
  drop(saying: Saying): void;
  /** Counts one more failed attempt; undefined when the message is no longer under way. */
  failed(saying: Saying): number | undefined;
  bury(saying: Saying, death: { consumer: string | null; cause: string }): void;
  dead(): DeadLetter[];
  /** Puts one dead letter back; false when it is no longer there. */
  revive(saying: Saying): boolean;
}

const INSERT =
  'INSERT INTO messages (id, method, attempts, body) VALUES (?, ?, 0, ?) ON CONFLICT (id, method) DO NOTHING';
const TAKE = 'SELECT id, method, body FROM messages WHERE id = ? AND method = ?';
const DELETE = 'DELETE FROM messages WHERE id = ? AND method = ?';
const FAILED = 'UPDATE messages SET attempts = attempts + 1 WHERE id = ? AND method = ? RETURNING attempts';
const BURY = `INSERT INTO dead_letters (id, method, consumer, cause, attempts, died_at, body)
  SELECT id, method, ?, ?, attempts, ?, body FROM messages WHERE id = ? AND method = ?
  ON CONFLICT (id, method) DO UPDATE SET cause = excluded.cause, attempts = excluded.attempts, died_at = excluded.died_at`;
const UNDELIVERED = `SELECT seq, id, method FROM messages WHERE seq > ? ORDER BY seq LIMIT ${PAGE}`;
const DEAD = `SELECT * FROM dead_letters WHERE seq > ? ORDER BY seq LIMIT ${PAGE}`;
const REVIVE = `INSERT INTO messages (id, method, attempts, body)
  SELECT id, method, 0, body FROM dead_letters WHERE id = ? AND method = ? ON CONFLICT (id, method) DO NOTHING`;
const DISCARD = 'DELETE FROM dead_letters WHERE id = ? AND method = ?';

/** The rows of one database. */
export const busRows = (db: SqliteDatabase, inbox: SqliteInbox, clock: Clock): BusRows => ({
  insert: (messages) => {
    const letters = messages.map(encode);
    return db.transaction(() => letters.filter(({ id, method, body }) => db.run(INSERT, [id, method, body]) === 1));
  },
  undelivered: () => walk(db, UNDELIVERED).map(sayingOf),
  take: ({ id, method }) => {
    const row = db.get(TAKE, [id, method]);
    return row === undefined ? undefined : letterOf(row);
  },
  seen: (consumer, { id, method }) => inbox.seenNow(consumer, inboxKey(id, method)),
  done: (consumer, { id, method }) =>
    db.transaction(() => {
      inbox.doneNow(consumer, inboxKey(id, method));
      db.run(DELETE, [id, method]);
    }),
  drop: ({ id, method }) => void db.run(DELETE, [id, method]),
  failed: ({ id, method }) => {
    const row = db.get(FAILED, [id, method]);
    return row === undefined ? undefined : integerOf(row, 'attempts');
  },
  bury: ({ id, method }, { consumer, cause }) =>
    db.transaction(() => {
      db.run(BURY, [consumer, cause.slice(0, CAUSE_CHARS), clock.now(), id, method]);
      db.run(DELETE, [id, method]);
    }),
  dead: () => walk(db, DEAD).map(deadLetterOf),
  revive: ({ id, method }) =>
    db.transaction(() => {
      db.run(REVIVE, [id, method]);
      return db.run(DISCARD, [id, method]) === 1;
    }),
});

function encode(message: Message): Letter {
  const body = JSON.stringify(message);
  if (body.length > SURELY_SMALL && Buffer.byteLength(body) > MESSAGE_BYTES) {
    throw new HcaFault('HcaTooLarge', {
      message: `the ${message.method} message ${message.id} is larger than ${MESSAGE_BYTES} bytes`,
      field: message.method,
      remedy: 'content belongs in an artifact; a message names it',
    });
  }
  return { id: message.id, method: message.method, body };
}

/** All rows of a query that goes on from `seq`, a page at a time. */
function walk(db: SqliteDatabase, sql: string): Row[] {
  const rows: Row[] = [];
  for (let seq = 0; ; ) {
    const page = db.all(sql, [seq]);
    rows.push(...page);
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return rows;
    seq = integerOf(last, 'seq');
  }
}

/** A request and its result may have one id, and may have one consumer. */
const inboxKey = (id: string, method: string): string => `${id} ${method}`;

const sayingOf = (row: Row): Saying => ({ id: textOf(row, 'id'), method: textOf(row, 'method') });

const letterOf = (row: Row): Letter => ({ ...sayingOf(row), body: textOf(row, 'body') });

const deadLetterOf = (row: Row): DeadLetter => ({
  ...letterOf(row),
  consumer: textOrNull(row, 'consumer'),
  cause: textOf(row, 'cause'),
  attempts: integerOf(row, 'attempts'),
  died_at: integerOf(row, 'died_at'),
});
