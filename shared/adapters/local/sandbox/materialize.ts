// Makes a folder hold exactly a tree: a fresh session, or one that is set back to a snapshot.
import { chmodSync, lstatSync, mkdirSync, readdirSync, readlinkSync, rmSync, symlinkSync, utimesSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { HcaFault } from '#shared/contracts/errors.ts';
import type { FileMode, TreeEntry } from '#shared/contracts/workspace.ts';
import type { BlobStore } from './blob-store.ts';
import { Breath } from './breath.ts';
import type { StatCache } from './stat-cache.ts';

/** All files get one time long past: a later write always shows in the stat, and no build tool sees a newer input than output. */
const LONG_PAST = new Date('2020-01-01T00:00:00Z');

const BREATH = 200;

export type Laying = { blobs: BlobStore; stats: StatCache; rewrite: (link: string) => string };

/** Writes the entries into the folder; what is there under another state is replaced, what is there already is kept. */
export async function layTree(root: string, entries: readonly TreeEntry[], laying: Laying): Promise<void> {
  const made = new Set<string>();
  const breath = new Breath(BREATH);
  for (const entry of entries) {
    const at = join(root, entry.path);
    const folder = dirname(at);
    if (!made.has(folder)) mkdirSync(folder, { recursive: true });
    made.add(folder);
    layEntry(at, entry, laying);
    await breath.spend(1);
  }
}

/** Deletes what the tree does not have, folders left empty by that included; `spare` names paths that are not the tree's business. */
export function clearOthers(root: string, entries: readonly TreeEntry[], spare: (path: string) => boolean): void {
  const wanted: Wanted = {
    root,
    spare,
    files: new Map(entries.map((entry) => [entry.path, entry.mode])),
    folders: new Set(entries.flatMap((entry) => parents(entry.path))),
  };
  const pending = [''];
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) pending.push(...clear(wanted, folder));
}

type Wanted = {
  root: string;
  spare: (path: string) => boolean;
  files: ReadonlyMap<string, FileMode>;
  folders: ReadonlySet<string>;
};

/** Clears one folder and returns the folders below it that stay. */
function clear(wanted: Wanted, folder: string): string[] {
  const entries = readdirSync(join(wanted.root, folder), { withFileTypes: true });
  const named = entries.map((entry) => ({ entry, path: folder === '' ? entry.name : `${folder}/${entry.name}` }));
  const ours = named.filter(({ path }) => !wanted.spare(path));
  const below = ours.filter(({ entry, path }) => entry.isDirectory() && staysFolder(wanted, path));
  for (const { entry, path } of ours.filter((one) => !below.includes(one))) {
    if (!keeps(wanted.files.get(path), entry)) rmSync(join(wanted.root, path), { recursive: true, force: true });
  }
  return below.map(({ path }) => path);
}

function staysFolder({ root, spare, folders }: Wanted, path: string): boolean {
  return folders.has(path) || holdsSpared(path, spare, root);
}

type Kind = { isFile(): boolean; isSymbolicLink(): boolean };

function keeps(mode: FileMode | undefined, entry: Kind): boolean {
  if (mode === undefined) return false;
  return mode === 'link' ? entry.isSymbolicLink() : entry.isFile();
}

function holdsSpared(path: string, spare: (path: string) => boolean, root: string): boolean {
  return readdirSync(join(root, path), { withFileTypes: true }).some((entry) => {
    const below = `${path}/${entry.name}`;
    return spare(below) || (entry.isDirectory() && holdsSpared(below, spare, root));
  });
}

function layEntry(at: string, entry: TreeEntry, { blobs, stats, rewrite }: Laying): void {
  if (entry.mode === 'link') {
    const target = blobs.read(entry.sha256).toString('utf8');
    if (target.includes('\0')) throw noTarget(entry.path);
    layLink(at, rewrite(target));
    return;
  }
  blobs.copyTo(entry.sha256, at);
  const wanted = entry.mode === 'exec' ? 0o755 : 0o644;
  if ((lstatSync(at).mode & 0o777) !== wanted) chmodSync(at, wanted);
  utimesSync(at, LONG_PAST, LONG_PAST);
  stats.note(entry.path, lstatSync(at), entry.sha256);
}

function noTarget(path: string): HcaFault {
  const message = `the link "${path}" leads nowhere: its target holds a NUL`;
  return new HcaFault('HcaBadInput', { message, field: 'workspace', remedy: 'leave it out' });
}

function layLink(at: string, target: string): void {
  const there = lstatSync(at, { throwIfNoEntry: false });
  if (there?.isSymbolicLink() === true && readlinkSync(at) === target) return;
  rmSync(at, { recursive: true, force: true });
  symlinkSync(target, at);
}

function parents(path: string): string[] {
  const segments = path.split('/');
  return segments.slice(1).map((_, index) => segments.slice(0, index + 1).join('/'));
}
