// Takes a snapshot of a person's folder; refuses what cannot be one with the field and the remedy. Never writes there.
import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { HcaFault } from '#shared/contracts/errors.ts';
import type { Snapshot } from '#shared/contracts/workspace.ts';
import { type FoundFile, scanFolder } from './scan.ts';
import { outerScope } from './scan-rules.ts';
import type { StatCache } from './stat-cache.ts';
import type { TreeStore } from './tree-store.ts';

/** `files` and `bytes` bound what one snapshot may hold. */
export type SnapshotLimits = { files: number; bytes: number };

export type TakeRequest = { root: string; include: readonly string[]; limits: SnapshotLimits };

/** @throws HcaFault HcaBadInput (`workspace`) over a limit */
export async function takeSnapshot(request: TakeRequest, trees: TreeStore, stats: StatCache): Promise<Snapshot> {
  const { root, include, limits } = request;
  const onFile = counted(limits);
  const scan = await scanFolder({ root, scope: outerScope(root), include, onFile });
  const { entries, unreadable } = await stats.entries(root, scan.files, { blobs: trees.blobs });
  stats.save();
  const lost = unreadable.map((path) => ({ path, reason: 'unreadable' as const }));
  return {
    tree: trees.put(entries),
    root,
    files: entries.length,
    bytes: entries.reduce((sum, entry) => sum + entry.bytes, 0),
    skipped: [...lost, ...scan.skipped].slice(0, 200),
    skipped_count: scan.skipped_count + lost.length,
  };
}

/** The real absolute path of a folder that can be read. @throws HcaFault HcaBadInput (`workspace`) */
export function realFolder(path: string): string {
  if (path === '' || path.includes('\0'))
    throw unusable('the path is empty or holds a NUL', 'Give the path of a folder.');
  const folder = real(path);
  if (!statSync(folder).isDirectory()) throw unusable(`"${path}" is a file`, 'Give the folder that holds it.');
  if (folder === '/') throw unusable('the root of the file system is not a workspace', 'Give a project folder.');
  if (MADE_UP.test(folder)) throw unusable(`"${path}" is made up by the system`, 'Give a project folder.');
  try {
    accessSync(folder, constants.R_OK | constants.X_OK);
  } catch (cause) {
    throw unusable(
      `"${path}" cannot be read`,
      'Grant read and search permission on it, or give another folder.',
      cause,
    );
  }
  return folder;
}

/** Files in there have no size and, some of them, no end. */
const MADE_UP = /^\/(proc|sys|dev(?!\/shm\/))(\/|$)/;

function real(path: string): string {
  try {
    return realpathSync(path);
  } catch (cause) {
    throw unusable(
      `there is no folder "${path.slice(0, 300)}"`,
      'Check the spelling, or give an existing folder.',
      cause,
    );
  }
}

function counted(limits: SnapshotLimits): (file: FoundFile) => void {
  let files = 0;
  let bytes = 0;
  return (file) => {
    files += 1;
    bytes += file.stat.size;
    if (files > limits.files) throw tooMuch(`more than ${limits.files} files`);
    if (bytes > limits.bytes) throw tooMuch(`more than ${Math.floor(limits.bytes / 1e6)} MB`);
  };
}

function tooMuch(what: string): HcaFault {
  return unusable(`it holds ${what}`, 'Give a smaller folder, or list generated files in .gitignore.');
}

function unusable(why: string, remedy: string, cause?: unknown): HcaFault {
  const message = `the workspace cannot be used: ${why}`;
  return new HcaFault('HcaBadInput', { message, field: 'workspace', remedy, cause });
}
