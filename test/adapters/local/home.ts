// A home folder of a test, gone when the test is over.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import type { Timers } from '#shared/adapters/local/bus-pauses.ts';
import { type LocalOptions, type LocalPorts, localPorts } from '#shared/adapters/local/ports.ts';
import type { SqliteDatabase } from '#shared/adapters/local/sqlite-database.ts';
import { isFault } from '#shared/contracts/errors.ts';

/** A fresh folder. */
export const newHome = (): string => {
  const folder = mkdtempSync(path.join(tmpdir(), 'hca-home-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};

/** Ports that are closed when the test is over. */
export const openHome = (options: Partial<LocalOptions> = {}): LocalPorts => {
  const ports = localPorts({ folder: ':memory:', ...options });
  onTestFinished(() => ports.close());
  return ports;
};

/** Plans that read more than they give back. `SCAN CONSTANT ROW` reads no table. */
export const wasteful = (db: SqliteDatabase, sql: string): string[] =>
  db
    .all(`EXPLAIN QUERY PLAN ${sql}`)
    .map((row) => String(row.detail))
    .filter((detail) => /^SCAN (?!CONSTANT)|TEMP B-TREE/.test(detail));

/** The fault that something throws or rejects with, as a person is told it. */
export const faultOf = async (work: () => unknown) => {
  try {
    await work();
  } catch (caught) {
    if (isFault(caught))
      return { code: caught.code, message: caught.message, field: caught.field, remedy: caught.remedy };
    throw caught;
  }
  throw new Error('nothing was thrown');
};

/** Timers that wait a turn of the event loop instead, and note what was asked. */
export const quickTimers = () => {
  const pauses: number[] = [];
  const timers: Timers = {
    after: (ms, run) => {
      pauses.push(ms);
      const handle = setImmediate(run);
      return () => clearImmediate(handle);
    },
  };
  return { pauses, timers };
};
