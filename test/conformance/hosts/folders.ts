// Folders to work on, in one temporary folder that goes with the host.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

export interface Folders {
  top: string;
  /** Another one, with one file in it. */
  next(): string;
  remove(): void;
}

export const makeFolders = (): Folders => {
  const top = mkdtempSync(path.join(os.tmpdir(), 'hca-conformance-'));
  let made = 0;
  const next = (): string => {
    made += 1;
    const folder = path.join(top, `work-${made}`);
    mkdirSync(folder);
    writeFileSync(path.join(folder, 'notes.txt'), 'a folder to work on\n');
    return folder;
  };
  return { top, next, remove: () => rmSync(top, { recursive: true, force: true }) };
};
