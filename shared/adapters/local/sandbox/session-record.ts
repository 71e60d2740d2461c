// What a session is made of on disk: the record that is written last, so that a half-made session is never entered.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { TreeId } from '#shared/contracts/workspace.ts';
import { DependencyView } from './dependency-view.ts';
import { writeAtomic } from './write-atomic.ts';

export const SessionRecord = z.strictObject({
  id: z.string(),
  base: TreeId,
  opened: TreeId,
  workspace: z.string(),
  network: z.boolean(),
  memory_bytes: z.number().int().positive().nullable(),
  /** Absolute path of the bubblewrap that confines its commands; null for plain process groups. */
  bubblewrap: z.string().nullable(),
  view: DependencyView,
  hoisted: z.array(z.string()),
});
export type SessionRecord = z.infer<typeof SessionRecord>;

/** Folders of one session. */
export type SessionFolders = { top: string; work: string; home: string; tmp: string };

/** An id may hold any character, a folder name may not. */
export function sessionFolders(root: string, id: string): SessionFolders {
  const plain = /^[A-Za-z0-9_-]{1,100}$/.test(id) ? id : createHash('sha256').update(id).digest('hex');
  const top = join(root, plain);
  return { top, work: join(top, 'work'), home: join(top, 'home'), tmp: join(top, 'tmp') };
}

export function saveRecord(folders: SessionFolders, record: SessionRecord): void {
  writeAtomic(join(folders.top, 'session.json'), JSON.stringify(record));
}

/** Null when there is no session, or one that was never finished. */
export function loadRecord(folders: SessionFolders): SessionRecord | null {
  const file = join(folders.top, 'session.json');
  return existsSync(file) ? SessionRecord.parse(JSON.parse(readFileSync(file, 'utf8'))) : null;
}

/** Names of the session folders below a root, half-made ones included. */
export const sessionNames = (root: string): string[] => readdirSync(root).filter((name) => !name.startsWith('.'));

/** Trees that the sessions below a root stand on. */
export const sessionTrees = (root: string): TreeId[] =>
  sessionNames(root).flatMap((name) => {
    const record = loadRecord({ top: join(root, name), work: '', home: '', tmp: '' });
    return record === null ? [] : [record.base, record.opened];
  });
