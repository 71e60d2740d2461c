// A folder for one run of something that leaves files behind while it works. Whoever makes it removes it; what a killed run could not remove
// is removed by the next one.

import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** A run's folder and what takes it away. */
export interface RunFolder {
  folder: string;
  remove(): void;
}

/** `hca-<kind>-<pid>-…` in `base`, the system's temporary folder unless it is given. */
export const runFolder = (kind: string, base: string = os.tmpdir()): RunFolder => {
  for (const left of leftIn(base, kind)) rmSync(path.join(base, left), REMOVAL);
  const folder = mkdtempSync(path.join(base, `hca-${kind}-${process.pid}-`));
  return { folder, remove: () => rmSync(folder, REMOVAL) };
};

const REMOVAL = { recursive: true, force: true, maxRetries: 5 } as const;

/** Folders of runs of this kind that nobody is in any more. */
const leftIn = (base: string, kind: string): string[] =>
  readdirSync(base).filter((name) => {
    const pid = new RegExp(`^hca-${kind}-(\\d+)-\\w{6}$`).exec(name)?.[1];
    return pid !== undefined && !isAlive(Number(pid));
  });

/** A process of somebody else is alive too. */
const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
};
