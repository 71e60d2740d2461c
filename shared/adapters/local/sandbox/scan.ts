// Walks a folder and says which files a snapshot takes and which it leaves out; reads names and stats only, follows no link.
import { type Dirent, lstatSync, readdirSync, readlinkSync, realpathSync, type Stats } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import type { FileMode, SkippedPath } from '#shared/contracts/workspace.ts';
import { firstMatch } from '#shared/domain/glob.ts';
import { Breath } from './breath.ts';
import { type IgnoreScope, innerScope, isIgnored, leftOutByName, type SkipReason } from './scan-rules.ts';

export type FoundFile = { path: string; mode: FileMode; stat: Stats };

/** `tracked` and `include` win over ignore and secret rules; `home` is the path that links of this folder call their own. */
export type ScanRequest = {
  root: string;
  home?: string;
  scope: IgnoreScope;
  tracked?: ReadonlySet<string>;
  include?: readonly string[];
  onFile?: (file: FoundFile) => void;
};

export type ScanOutcome = { files: FoundFile[]; skipped: SkippedPath[]; skipped_count: number };

/** The list of what was left out is for a person: enough to see why, never as long as the folder. */
const LISTED = 200;

/** Entries between two turns of the event loop: about two milliseconds of stats. */
const BREATH = 400;

/** @throws whatever onFile throws, which is how a limit stops the walk early. */
export async function scanFolder(request: ScanRequest): Promise<ScanOutcome> {
  const outcome: ScanOutcome = { files: [], skipped: [], skipped_count: 0 };
  const pending: Pending[] = [{ path: '', scope: request.scope }];
  const breath = new Breath(BREATH);
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { below, count } = walkFolder(request, outcome, next);
    pending.push(...below);
    await breath.spend(count);
  }
  return outcome;
}

type Pending = { path: string; scope: IgnoreScope };

function walkFolder(request: ScanRequest, outcome: ScanOutcome, next: Pending): { below: Pending[]; count: number } {
  const folder = join(request.root, next.path);
  const entries = read(folder);
  if (entries === null) note(outcome, `${next.path}/`, 'unreadable');
  const walk = { request, outcome, scope: innerScope(next.scope, folder) };
  const below: Pending[] = [];
  for (const entry of entries ?? []) {
    const path = next.path === '' ? entry.name : `${next.path}/${entry.name}`;
    if (visit(walk, entry, path)) below.push({ path, scope: walk.scope });
  }
  return { below, count: entries?.length ?? 0 };
}

type Walk = { request: ScanRequest; outcome: ScanOutcome; scope: IgnoreScope };

/** True for a folder that is to be walked too. */
function visit(walk: Walk, entry: Dirent, path: string): boolean {
  const { request, outcome } = walk;
  const reason = leftOut(walk, entry, path);
  if (reason !== null) {
    note(outcome, entry.isDirectory() ? `${path}/` : path, reason);
    return false;
  }
  if (entry.isDirectory()) return true;
  const stat = statOf(join(request.root, path));
  if (stat === null) {
    note(outcome, path, 'unreadable');
    return false;
  }
  const file = { path, mode: modeOf(stat), stat };
  request.onFile?.(file);
  outcome.files.push(file);
  return false;
}

function leftOut(walk: Walk, entry: Dirent, path: string): SkipReason | null {
  const at = join(walk.request.root, path);
  if (entry.isSymbolicLink()) return linkReason(walk.request, at);
  const folder = entry.isDirectory();
  if (!folder && !entry.isFile()) return 'special';
  if (isWanted(walk.request, path)) return null;
  return leftOutByName(at, { name: entry.name, relative: path, folder }) ?? leftOutByRule(walk, path, folder);
}

function isWanted({ tracked, include }: ScanRequest, path: string): boolean {
  return tracked?.has(path) === true || firstMatch(include ?? [], path) !== null;
}

function leftOutByRule({ request, scope }: Walk, path: string, folder: boolean): SkipReason | null {
  if (!isIgnored(scope, join(request.root, path), folder)) return null;
  return folder && holdsTracked(request, path) ? null : 'ignored';
}

/** An ignored folder is walked all the same when the snapshot it came from has files in it. */
function holdsTracked(request: ScanRequest, folder: string): boolean {
  const inside = `${folder}/`;
  return [...(request.tracked ?? [])].some((path) => path.startsWith(inside));
}

/** People and tools work in the folder while it is read: what has gone meanwhile is left out, and so is a name that is no UTF-8. */
function statOf(at: string): Stats | null {
  try {
    return lstatSync(at, { throwIfNoEntry: false }) ?? null;
  } catch {
    return null;
  }
}

function linkReason(request: ScanRequest, at: string): SkipReason | null {
  try {
    return leadsOutside(request, at, readlinkSync(at)) ? 'link_outside' : null;
  } catch {
    return 'unreadable';
  }
}

/** By its text and, where it resolves, by its real place. A link that dangles inside the folder is harmless and kept. */
function leadsOutside({ root, home }: ScanRequest, at: string, text: string): boolean {
  const own = home ?? root;
  const target = isAbsolute(text) ? text : resolve(dirname(at), text);
  if (isAbsolute(text) && contains(own, target)) return false;
  if (!contains(root, target)) return true;
  try {
    return !contains(root, realpathSync(at)) && !contains(own, realpathSync(at));
  } catch {
    return false;
  }
}

/** True when `path` is the folder or below it. */
export function contains(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}

function modeOf(stat: Stats): FileMode {
  if (stat.isSymbolicLink()) return 'link';
  return (stat.mode & 0o100) === 0 ? 'file' : 'exec';
}

function note(outcome: ScanOutcome, path: string, reason: SkipReason): void {
  outcome.skipped_count += 1;
  if (outcome.skipped.length < LISTED) outcome.skipped.push({ path, reason });
}

function read(folder: string): Dirent[] | null {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return null;
  }
}
