// Bytes named by their SHA-256: one file each, written beside and renamed, or rows of SQLite when everything is in memory.
import { randomUUID } from 'node:crypto';
import { mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { SqliteDatabase } from './sqlite-database.ts';
import { fileFault } from './sqlite-faults.ts';

/** Where the bytes of artifacts lie. Writing what is there already does nothing; reading what is not there gives undefined. */
export interface BlobStore {
  /** Folder or database, for messages. */
  readonly place: string;
  write(sha256: string, bytes: Uint8Array): Promise<void>;
  read(sha256: string): Promise<Uint8Array | undefined>;
}

/** `full` also survives the loss of power: the file reaches the disk before its name does. */
export const fileBlobs = (folder: string, durable: 'normal' | 'full'): BlobStore => {
  const fileOf = (sha256: string): string => path.join(folder, sha256.slice(0, 2), sha256.slice(2));
  return {
    place: folder,
    write: async (sha256, bytes) => {
      const file = fileOf(sha256);
      // Another size means that somebody cut the file: written again, it is whole again.
      await guarded(file, async () => (await hasSize(file, bytes.byteLength)) || writeWhole(file, bytes, durable));
    },
    read: (sha256) => guarded(fileOf(sha256), () => readFile(fileOf(sha256)).catch(undefinedIfAbsent)),
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
});

async function hasSize(file: string, bytes: number): Promise<boolean> {
  const found = await stat(file).catch(undefinedIfAbsent);
  return found?.size === bytes;
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
