// What a folder holds at a path right now, as a file state that can be compared with a change set.
import { createHash } from 'node:crypto';
import { lstatSync, readFileSync, readlinkSync, type Stats } from 'node:fs';
import { HcaFault } from '#shared/contracts/errors.ts';
import type { FileState } from '#shared/contracts/workspace.ts';
import { fileState } from '#shared/domain/change-set.ts';
import { resolveInside } from './inside.ts';

/** What a path of the folder holds now, without following a link at its end. Null when nothing is there. */
export function currentState(root: string, path: string): FileState | null {
  const at = resolveInside({ root, home: root }, path, 'keep');
  const stat = statOf(at);
  if (stat === undefined) return null;
  if (stat.isSymbolicLink()) return fileState(Buffer.from(readlinkSync(at)), 'link');
  if (!stat.isFile()) throw new HcaFault('HcaBadInput', { message: `"${path}" is a folder`, field: 'path' });
  const bytes = readFileSync(at);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return fileState(bytes, (stat.mode & 0o100) === 0 ? 'file' : 'exec', sha256);
}

/** True when a file stands at the path, links on the way followed. */
export function standsAsFile(root: string, path: string): boolean {
  return statOf(resolveInside({ root, home: root }, path))?.isFile() === true;
}

/** Undefined also where a file stands on the way: then the path itself certainly does not exist. */
function statOf(at: string): Stats | undefined {
  try {
    return lstatSync(at, { throwIfNoEntry: false });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOTDIR') return undefined;
    throw error;
  }
}
