// The storage ports of the embedded host as one object: one SQLite database, one folder of bytes, one bus (architecture section 9).
import path from 'node:path';
import type { Ports } from '#shared/ports/index.ts';
import type { Clock } from '#shared/ports/world.ts';
import { filesArtifacts } from './files-artifacts.ts';
import { type BlobStore, fileBlobs, rowBlobs } from './files-blobs.ts';
import { type Bus, type BusOptions, sqliteBus } from './sqlite-bus.ts';
import { type DatabaseOptions, MEMORY, openDatabase, type SqliteDatabase } from './sqlite-database.ts';
import { type SqliteHolons, sqliteHolons } from './sqlite-holons.ts';
import { type SqliteJournal, sqliteJournal } from './sqlite-journal.ts';
import { sqliteLedger } from './sqlite-ledger.ts';
import { sqliteLessons } from './sqlite-lessons.ts';
import { type SqliteSessions, sqliteSessions } from './sqlite-sessions.ts';
import { sqliteTasks } from './sqlite-tasks.ts';
import { type SqliteInbox, sqliteInbox, sqliteMarks, sqliteWaits } from './sqlite-waits.ts';
import { systemClock } from './system-clock.ts';

type StoragePort = 'tasks' | 'waits' | 'marks' | 'lessons' | 'artifacts' | 'ledger' | 'messages' | 'clock';

/** `folder` is the home, or ':memory:'. `checked`: records are parsed by their whole contract on every save and load (tests). */
export interface LocalOptions extends DatabaseOptions {
  clock?: Clock;
  checked?: boolean;
  bus?: Omit<BusOptions, 'db' | 'inbox' | 'clock'>;
}

/** What this room gives to a host; workflows, tools, sandbox, workspaces and profiles come from elsewhere. */
export interface LocalPorts extends Pick<Ports, StoragePort> {
  db: SqliteDatabase;
  holons: SqliteHolons;
  journal: SqliteJournal;
  sessions: SqliteSessions;
  inbox: SqliteInbox;
  /** The bytes behind the artifacts. */
  blobs: BlobStore;
  /** The same object as `messages`, with subscribing, starting and dead letters. */
  bus: Bus;
  /** Stops the bus, then closes the database. */
  close(): Promise<void>;
}

/** Opens everything; the bus is not started yet. @throws HcaFault HcaCorrupt, HcaUnavailable */
export const localPorts = (options: LocalOptions): LocalPorts => {
  const { folder, durable = 'normal', checked = false } = options;
  const db = openDatabase(options);
  const clock = options.clock ?? systemClock();
  const inbox = sqliteInbox(db, clock);
  const bus = sqliteBus({ ...options.bus, db, inbox, clock });
  const blobs = folder === MEMORY ? rowBlobs(db) : fileBlobs(path.resolve(folder, 'artifacts'), durable);
  return {
    db,
    clock,
    inbox,
    blobs,
    bus,
    messages: bus,
    tasks: sqliteTasks(db, { checked }),
    waits: sqliteWaits(db),
    marks: sqliteMarks(db),
    ledger: sqliteLedger(db),
    journal: sqliteJournal(db),
    holons: sqliteHolons(db),
    lessons: sqliteLessons(db, clock),
    sessions: sqliteSessions(db),
    artifacts: filesArtifacts({ db, blobs, clock }),
    close: async () => {
      await bus.stop();
      db.close();
    },
  };
};
