// One host per home. The lock is SQLite's own lock on a file: the kernel drops it with the process that holds it, so `kill -9` leaves none
// behind, there is no stale lock to judge, and of two hosts that start at once exactly one gets it.
import { chmodSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

export interface Lock {
  release(): void;
}

/** Takes the lock, or says (undefined) that another process has it. Waits for nobody. */
export const takeLock = (file: string): Lock | undefined => {
  const held = new DatabaseSync(file, { timeout: 0 });
  try {
    chmodSync(file, 0o600);
    held.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    return { release: () => held.close() };
  } catch (error) {
    held.close();
    if (isBusy(error)) return undefined;
    throw error;
  }
};

const isBusy = (error: unknown): boolean => error instanceof Error && /locked|busy/i.test(error.message);
