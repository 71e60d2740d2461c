// The durable bus of the embedded host: at least once, one subscription a method, retry, dead letters (architecture section 3).
import { HcaFault, isFault } from '#shared/contracts/errors.ts';
import type { DetailType, Message } from '#shared/contracts/messages.ts';
import type { Clock, Messages } from '#shared/ports/world.ts';
import { backoff, realTimers, type Timers } from './bus-pauses.ts';
import { Schedule } from './bus-schedule.ts';
import { type BusRows, busRows, type DeadLetter, type Letter, type Saying } from './sqlite-bus-rows.ts';
import type { SqliteDatabase } from './sqlite-database.ts';
import type { SqliteInbox } from './sqlite-waits.ts';

const AT_ONCE = 16;
/** 8 attempts: 100 ms doubling makes 6 to 13 s in all, longer than a short trouble, far shorter than a task's deadline. */
const ATTEMPTS = 8;

/** What a consumer does with a message. When it throws, the message comes again; a fault that no retry mends is dead at once. */
export type Handler = (message: Message) => Promise<unknown>;

/** How a test disturbs delivery: copy n of a message comes n × `delayMs` later. `pastInbox`: each copy reaches the handler, finished or not. */
export interface Disturbance {
  copies: number;
  delayMs: number;
  pastInbox?: boolean;
}

export interface BusOptions {
  db: SqliteDatabase;
  inbox: SqliteInbox;
  clock: Clock;
  atOnce?: number;
  attempts?: number;
  timers?: Timers;
  random?: () => number;
  deliver?: (message: Message) => Disturbance;
}

/** The bus. */
export interface Bus extends Messages {
  /** The one consumer of a method; before `start`. */
  subscribe(method: DetailType, consumer: string, handler: Handler): void;
  /** Begins to deliver, first what an earlier process left behind. */
  start(): void;
  /** Resolves when every delivery that has begun is over; the rest stays stored. */
  stop(): Promise<void>;
  /** Resolves when nothing is under way: no delivery, no retry. */
  idle(): Promise<void>;
  /** Oldest first. */
  deadLetters(): DeadLetter[];
  /** Delivers again, once, what died: by message id, or all. Says how many. */
  redrive(which: string): number;
}

interface Delivery {
  saying: Saying;
  /** There when a disturbance has already been applied. */
  copy?: { letter: Letter; pastInbox: boolean };
}

interface House {
  rows: BusRows;
  subscriptions: Map<string, { consumer: string; handler: Handler }>;
  attempts: number;
  random: () => number;
  later(ms: number, delivery: Delivery): void;
}

/** A bus on a database. */
export const sqliteBus = (options: BusOptions): Bus => {
  const { db, inbox, clock, deliver } = options;
  const rows = busRows(db, inbox, clock);
  const schedule = new Schedule<Delivery>({
    run: (delivery) => attempt(house, delivery, deliver),
    atOnce: options.atOnce ?? AT_ONCE,
    timers: options.timers ?? realTimers,
  });
  const house: House = {
    rows,
    subscriptions: new Map(),
    attempts: options.attempts ?? ATTEMPTS,
    random: options.random ?? Math.random,
    later: (ms, delivery) => schedule.later(ms, delivery),
  };
  let isStarted = false;
  const enqueue = (sayings: readonly Saying[]): void => {
    if (!isStarted) return;
    for (const saying of sayings) schedule.add({ saying });
  };
  return {
    publish: async (messages) => enqueue(rows.insert(messages)),
    subscribe: (method, consumer, handler) => {
      if (house.subscriptions.has(method)) throw new Error(`${method} has a consumer already`);
      house.subscriptions.set(method, { consumer, handler });
    },
    start: () => {
      if (isStarted) return;
      isStarted = true;
      enqueue(rows.undelivered());
      schedule.open();
    },
    stop: () => {
      isStarted = false;
      return schedule.close();
    },
    idle: () => schedule.idle(),
    deadLetters: rows.dead,
    redrive: (which) => {
      const revived = rows.dead().filter((letter) => (which === 'all' || letter.id === which) && rows.revive(letter));
      enqueue(revived);
      return revived.length;
    },
  };
};

/** One attempt. Trouble with the database itself leaves the row where it is: the message comes again, and nothing is lost. */
async function attempt(house: House, delivery: Delivery, deliver: BusOptions['deliver']): Promise<void> {
  try {
    const letter = delivery.copy?.letter ?? house.rows.take(delivery.saying);
    if (letter === undefined) return;
    if (deliver !== undefined && delivery.copy === undefined) disturb(house, letter, deliver);
    else await consume(house, letter, delivery.copy?.pastInbox ?? false);
  } catch {
    house.later(backoff(house.attempts, house.random), { saying: delivery.saying });
  }
}

function disturb(house: House, letter: Letter, deliver: (message: Message) => Disturbance): void {
  const { copies, delayMs, pastInbox = false } = deliver(parse(letter));
  for (let copy = 1; copy <= Math.max(1, copies); copy += 1) {
    house.later(copy * delayMs, { saying: letter, copy: { letter, pastInbox } });
  }
}

async function consume({ rows, ...house }: House, letter: Letter, pastInbox: boolean): Promise<void> {
  const subscription = house.subscriptions.get(letter.method);
  if (subscription === undefined) {
    rows.bury(letter, { consumer: null, cause: `nobody subscribes to ${letter.method}` });
    return;
  }
  const { consumer, handler } = subscription;
  if (!pastInbox && rows.seen(consumer, letter)) {
    rows.drop(letter);
    return;
  }
  const trouble = await handled(handler, letter);
  if (trouble === undefined) {
    rows.done(consumer, letter);
    return;
  }
  const failures = rows.failed(letter);
  if (failures === undefined) return;
  if (trouble.isFinal || failures >= house.attempts) rows.bury(letter, { consumer, cause: trouble.cause });
  else house.later(backoff(failures, house.random), { saying: letter });
}

/** What went wrong, as data, or undefined. */
async function handled(handler: Handler, letter: Letter): Promise<{ cause: string; isFinal: boolean } | undefined> {
  try {
    await handler(parse(letter));
    return undefined;
  } catch (caught) {
    const cause = caught instanceof Error ? `${caught.name}: ${caught.message}` : String(caught);
    return { cause, isFinal: isFault(caught) && !caught.retryable };
  }
}

/** The consumer parses what it is given by the whole contract (`perform`); here the envelope's names are enough, 20 µs a message less. */
function parse(letter: Letter): Message {
  const message: unknown = JSON.parse(letter.body);
  if (isSaying(message, letter)) return message;
  throw new HcaFault('HcaCorrupt', { message: `the stored message ${letter.id} is damaged` });
}

function isSaying(message: unknown, { id, method }: Letter): message is Message {
  if (typeof message !== 'object' || message === null) return false;
  return Reflect.get(message, 'id') === id && Reflect.get(message, 'method') === method;
}
