// Bytes named by their SHA-256: one file each, written beside and renamed, or rows of SQLite when everything is in memory.
import { randomUUID } from 'node:crypto';
import { readdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import type { SqliteDatabase } from './sqlite-database.ts';
import { fileFault } from './sqlite-faults.ts';

/** Where the bytes of artifacts lie. Writing what is there already does nothing; reading what is not there gives undefined. */
export interface BlobStore {
  /** Folder or database, for messages. */
  readonly place: string;
  write(sha256: string, bytes: Uint8Array): Promise<void>;
  read(sha256: string): Promise<Uint8Array | undefined>;
  /** Deletes what is not in `keep` and was not written since `before` (milliseconds of the epoch); says what the disk got back. */
  collect(keep: ReadonlySet<string>, before: number): Promise<{ blobs: number; bytes: number }>;
}

/** `full` also survives the loss of power: the file reaches the disk before its name does. */
export const fileBlobs = (folder: string, durable: 'normal' | 'full'): BlobStore => {
  const fileOf = (sha256: string): string => path.join(folder, sha256.slice(0, 2), sha256.slice(2));
  return {
    place: folder,
    write: async (sha256, bytes) => {
      const file = fileOf(sha256);
      // Another size means that somebody cut the file: written again, it is whole again.
      await guarded(file, async () => touch(file, bytes.byteLength) || writeWhole(file, bytes, durable));
    },
    read: (sha256) => guarded(fileOf(sha256), () => readFile(fileOf(sha256)).catch(undefinedIfAbsent)),
    collect: (keep, before) => guarded(folder, () => collect(folder, keep, before)),
  };
};

/** For ':memory:'. */
export const rowBlobs = (db: SqliteDatabase): BlobStore => ({
  place: db.file,
  write: async (sha256, bytes) => {
    db.run('INSERT INTO blobs (sha256, bytes) VALUES (?, ?) ON CONFLICT (sha256) DO NOTHING', [sha256, bytes]);
  },
  read: async (sha256) => {
    const bytes = db.get('SELECT bytes FROM blobs WHERE sha256 = ?', [sha256])?.bytes;
    return bytes instanceof Uint8Array ? bytes : undefined;
  },
  // Such a house ends with its process, and its bytes with it.
  collect: async () => ({ blobs: 0, bytes: 0 }),
});

/** Notes that it is used now; false when it is not there whole. In one piece, so that no collection comes between looking and noting. */
function touch(file: string, bytes: number): boolean {
  if (statSync(file, { throwIfNoEntry: false })?.size !== bytes) return false;
  const now = new Date();
  utimesSync(file, now, now);
  return true;
}

/** A file that was half written when its process died (its name goes on behind the hash) is in no `keep` and goes as well. */
async function collect(folder: string, keep: ReadonlySet<string>, before: number) {
  const freed = { blobs: 0, bytes: 0 };
  for (const shelf of shelvesOf(folder)) {
    const over = readdirSync(path.join(folder, shelf)).filter((name) => !keep.has(shelf + name));
    const sizes = over.map((name) => removeOld(path.join(folder, shelf, name), before)).filter((size) => size !== null);
    freed.blobs += sizes.length;
    freed.bytes += sizes.reduce((sum, size) => sum + size, 0);
    await turn();
  }
  return freed;
}

const shelvesOf = (folder: string): string[] => {
  const found = statSync(folder, { throwIfNoEntry: false });
  return found === undefined ? [] : readdirSync(folder);
};

/** Its size when it went, null when it stays. Looked at and deleted in one piece, see `touch`. */
function removeOld(file: string, before: number): number | null {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined || found.mtimeMs >= before) return null;
  rmSync(file);
  return found.size;
}

async function writeWhole(file: string, bytes: Uint8Array, durable: 'normal' | 'full'): Promise<void> {
  const beside = `${file}.${randomUUID()}`;
  await mkdir(path.dirname(file), { recursive: true });
  try {
    await writeBeside(beside, bytes, durable);
    await rename(beside, file);
  } catch (caught) {
    await rm(beside, { force: true });
    throw caught;
  }
  if (durable === 'full') await syncFolder(path.dirname(file));
}

async function writeBeside(file: string, bytes: Uint8Array, durable: 'normal' | 'full'): Promise<void> {
  const handle = await open(file, 'wx');
  try {
    await handle.writeFile(bytes);
    if (durable === 'full') await handle.sync();
  } finally {
    await handle.close();
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function undefinedIfAbsent(caught: unknown): undefined {
  if (caught instanceof Error && 'code' in caught && caught.code === 'ENOENT') return undefined;
  throw caught;
}

const guarded = <T>(file: string, work: () => Promise<T>): Promise<T> =>
  work().catch((caught: unknown) => {
    throw fileFault(caught, file);
  });
