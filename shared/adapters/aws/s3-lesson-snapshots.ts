// Snapshots of the index of lessons in the bucket: what a process begins with instead of reading every lesson. They are a saving, not the record.
import { createHash } from 'node:crypto';
import { PREFIXES } from '#shared/contracts/bucket.ts';
import { isFault } from '#shared/contracts/errors.ts';
import { type LessonShelf, openShelf } from '#shared/domain/knowledge/shelf.ts';
import { sortable } from './dynamo-rows.ts';
import type { Objects } from './s3-objects.ts';

/** A shelf and the place in the tail up to which everything is on it. */
export interface Snapshot {
  shelf: LessonShelf;
  seq: number;
}

export interface LessonSnapshots {
  /** The newest that can be read, undefined when none can. */
  newest(tenant: string): Promise<Snapshot | undefined>;
  keep(tenant: string, snapshot: Snapshot): Promise<void>;
}

/** Kept beside the newest: one for whoever is reading it at this moment. */
const OLDER = 1;

export const s3LessonSnapshots = (objects: Objects): LessonSnapshots => ({
  newest: async (tenant) => {
    for (const key of (await objects.list(folderOf(tenant))).toReversed()) {
      const shelf = await shelfIn(objects, key);
      if (shelf !== null) return { shelf, seq: Number(key.slice(folderOf(tenant).length)) };
    }
    return undefined;
  },
  keep: async (tenant, { shelf, seq }) => {
    const body = shelf.snapshot();
    const sha256 = createHash('sha256').update(body).digest('hex');
    await objects.put(`${folderOf(tenant)}${sortable(seq)}`, { body, sha256, type: 'application/octet-stream' });
    await objects.remove((await objects.list(folderOf(tenant))).slice(0, -1 - OLDER));
  },
});

/** `_lessons/<tenant>/snapshot-<place in the tail>`: their order is their age. */
const folderOf = (tenant: string): string => `${PREFIXES.lessons}${tenant}/snapshot-`;

/** Null for one that is gone meanwhile, torn, or of another layout. */
async function shelfIn(objects: Objects, key: string): Promise<LessonShelf | null> {
  try {
    const found = await objects.get(key);
    return found === undefined ? null : openShelf(found.body);
  } catch (caught) {
    if (isFault(caught) && caught.code === 'HcaCorrupt') return null;
    throw caught;
  }
}
