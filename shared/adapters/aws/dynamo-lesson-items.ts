// How lessons lie in their table (architecture section 8). A version is the record. Beside it: the newest version of each lesson, in the order
// of their ids; which version an event caused; and the tail, in which everything that happened stands in order, gap-free.
import { Lesson } from '#shared/contracts/lesson.ts';
import { lastMoved } from '#shared/domain/knowledge/upkeep.ts';
import { bodyOf, fingerprint, joined, packed, sortable } from './dynamo-rows.ts';
import type { DynamoTable, Item, Key } from './dynamo-table.ts';

/** Of an event, null for a lesson that says none. */
export const causeOf = ({ change }: Lesson): string | null => (change.cause === '' ? null : change.cause);

export const lessonPartition = (tenant: string, id: string): string => joined(tenant, 'lesson', id);
export const VERSION = joined('v', '');

export const versionKey = (tenant: string, id: string, version: number): Key => ({
  pk: lessonPartition(tenant, id),
  sk: `${VERSION}${sortable(version)}`,
});

export const causeKey = (tenant: string, id: string, cause: string): Key => ({
  pk: lessonPartition(tenant, id),
  sk: joined('c', fingerprint(cause)),
});

export const newestPartition = (tenant: string): string => joined(tenant, 'newest');
export const newestKey = (tenant: string, id: string): Key => ({ pk: newestPartition(tenant), sk: id });

export const tailPartition = (tenant: string): string => joined(tenant, 'tail');
export const tailKey = (tenant: string, seq: number): Key => ({ pk: tailPartition(tenant), sk: sortable(seq) });

/** Partition of the index of lessons that may decay, and a time in it (ms, as text that sorts). */
export const idlePartition = (tenant: string): string => tenant;
export const momentOf = (ms: number): string => ms.toString().padStart(15, '0');

export const versionItem = (tenant: string, lesson: Lesson): Item => ({
  ...versionKey(tenant, lesson.id, lesson.version),
  cause: causeOf(lesson),
  body: packed(JSON.stringify(lesson)),
});

/** Only what is provisional decays. */
export const newestItem = (tenant: string, lesson: Lesson): Item => ({
  ...newestKey(tenant, lesson.id),
  version: lesson.version,
  body: packed(JSON.stringify(lesson)),
  ...(lesson.trust === 'provisional' ? { idle_of: idlePartition(tenant), moved_at: momentOf(lastMoved(lesson)) } : {}),
});

/** @throws HcaFault HcaCorrupt */
export const lessonOf = (table: DynamoTable, item: Item): Lesson =>
  bodyOf(table, item, { schema: Lesson, what: `lesson ${item.pk} ${item.sk}` });
