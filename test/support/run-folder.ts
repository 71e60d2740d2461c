// Whatever tests lay into the temporary folder lies in one of this run: it is removed at the end, however that comes, and what a test had left in it
// fails the run by name.
import { existsSync, readdirSync } from 'node:fs';
import os from 'node:os';
import { type RunFolder, runFolder } from '#scripts/run-folder.ts';

/** Node's own cache of compiled code, which it keeps beside whatever is temporary. */
const NODES_OWN = new Set(['node-compile-cache']);

/** Where houses die that nobody wants on a disk (test/support/chaos/folders.ts). */
const MEMORY = '/dev/shm';

const folders: RunFolder[] = [];

/** Once for a run; the projects of a run ask again and get nothing. */
export function setup(): void {
  if (process.env.HCA_RUN_FOLDER !== undefined) return;
  folders.push(runFolder('tests'), ...(existsSync(MEMORY) ? [runFolder('tests', MEMORY)] : []));
  const [first, memory] = folders.map(({ folder }) => folder);
  Object.assign(process.env, { HCA_RUN_FOLDER: first, TMPDIR: first, HCA_RUN_MEMORY: memory ?? os.tmpdir() });
}

/** @throws Error naming what was left behind */
export function teardown(): void {
  const left = folders.flatMap(({ folder }) => readdirSync(folder)).filter((name) => !NODES_OWN.has(name));
  for (const { remove } of folders) remove();
  if (left.length > 0) throw new Error(`Tests left behind in the temporary folder: ${left.sort().join(', ')}`);
}
