// Folders for houses that die: in memory where the system has such a place (test/support/run-folder.ts), because a death is no lack of power and the disk
// is slow.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const BASE = process.env.HCA_RUN_MEMORY ?? tmpdir();

/** A new folder and what removes it. */
export const scratch = (name: string): { folder: string; remove: () => void } => {
  const folder = mkdtempSync(path.join(BASE, `hca-${name}-`));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
};
