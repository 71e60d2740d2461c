// Storing a version of a lesson by single conditional writes (L3-LES, L3-KBS-03). In this order: the event's claim, the version, the newest, the
// tail. A crash in between is completed by whoever says the same again, and until then nobody is told that it is stored.
import type { Lesson } from '#shared/contracts/lesson.ts';
import {
  causeKey,
  causeOf,
  lessonOf,
  newestItem,
  tailKey,
  tailPartition,
  versionItem,
  versionKey,
} from './dynamo-lesson-items.ts';
import { queryItems } from './dynamo-query.ts';
import { untilAlone } from './dynamo-race.ts';
import { integerOf } from './dynamo-rows.ts';
import { type DynamoTable, getItem, putItem, putNew } from './dynamo-table.ts';

/** Where in the tail it stands is told to whoever keeps the index. */
export interface Put {
  put: 'stored' | 'there' | 'conflict';
  seq: number;
}

/** Stores a version; see the port. `last`: the newest place in the tail that this process knows of, 0 when it knows none. */
export const putLesson = async (
  table: DynamoTable,
  { tenant, lesson }: { tenant: string; lesson: Lesson },
  last: number,
): Promise<Put> => {
  const about = { tenant, id: lesson.id };
  const before = await causedBefore(table, tenant, lesson);
  if (before !== null) return { put: 'there', seq: await complete(table, { ...about, lesson: before }, last) };
  if (await putNew(table, versionItem(tenant, lesson)))
    return { put: 'stored', seq: await complete(table, { ...about, lesson }, last) };
  const there = await versionOf(table, tenant, lesson);
  if (there === null || (causeOf(lesson) !== null && causeOf(there) !== causeOf(lesson)))
    return { put: 'conflict', seq: last };
  return { put: 'there', seq: await complete(table, { ...about, lesson: there }, last) };
};

/** Newest place in the tail, 0 when nothing happened yet. */
export const tailEnd = async (table: DynamoTable, tenant: string): Promise<number> => {
  const query = { where: '#pk = :pk', values: { pk: tailPartition(tenant) }, newest: true, limit: 1 };
  const [newest] = await queryItems(table, query);
  return newest === undefined ? 0 : Number(newest.sk);
};

/**
 * The version that this event caused before, or null: then the event has claimed the version that is about to be stored. A claim whose version
 * was never stored, or was stored by another event, is moved on, only ever upwards: whoever claimed it meets the other version and tries again.
 */
async function causedBefore(table: DynamoTable, tenant: string, lesson: Lesson): Promise<Lesson | null> {
  const cause = causeOf(lesson);
  if (cause === null) return null;
  const key = causeKey(tenant, lesson.id, cause);
  const claim = { ...key, version: lesson.version };
  if (await putNew(table, claim)) return null;
  const { caused } = await untilAlone(`lesson ${lesson.id}`, async () => {
    const claimed = integerOf(await getItem(table, key), 'version');
    const there = await versionOf(table, tenant, { id: lesson.id, version: claimed });
    if (there !== null && causeOf(there) === cause) return { caused: there };
    if (lesson.version <= claimed) return NOT_YET;
    return (await putItem(table, claim, { if: '#version = :claimed', values: { claimed } })) ? NOT_YET : undefined;
  });
  return caused;
}

const NOT_YET: { caused: Lesson | null } = { caused: null };

async function versionOf(
  table: DynamoTable,
  tenant: string,
  { id, version }: Pick<Lesson, 'id' | 'version'>,
): Promise<Lesson | null> {
  const item = await getItem(table, versionKey(tenant, id, version));
  return item === undefined ? null : lessonOf(table, item);
}

interface Stored {
  tenant: string;
  id: string;
  lesson: Lesson;
}

/** The newest is only ever replaced by a newer one; the tail names the lesson, and whoever reads it takes the newest: said twice is said once. */
async function complete(table: DynamoTable, { tenant, id, lesson }: Stored, last: number): Promise<number> {
  const { version } = lesson;
  const condition = { if: 'attribute_not_exists(#pk) OR #version < :version', values: { version } };
  await putItem(table, newestItem(tenant, lesson), condition);
  let end = last === 0 ? undefined : last;
  return untilAlone(`the tail of the lessons of ${tenant}`, async () => {
    const seq = (end ?? (await tailEnd(table, tenant))) + 1;
    end = undefined;
    return (await putNew(table, { ...tailKey(tenant, seq), id })) ? seq : undefined;
  });
}
