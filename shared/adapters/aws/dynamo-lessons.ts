// Lessons in DynamoDB: the record, version by version; found through an index in memory that begins with a snapshot in the bucket and takes in
// the tail before every query (L3-LES, L3-KBS, L3-KBQ; docs/decisions/0031).
import { type Lesson, LessonQuery } from '#shared/contracts/lesson.ts';
import { byProof } from '#shared/domain/knowledge/proof.ts';
import type { Ranked } from '#shared/domain/knowledge/shelf.ts';
import type { Clock, LessonHit, Lessons, LessonsRead } from '#shared/ports/world.ts';
import { getItems } from './dynamo-batch.ts';
import { claimKeys, foundUnder } from './dynamo-lesson-claims.ts';
import {
  idlePartition,
  lessonOf,
  lessonPartition,
  momentOf,
  newestKey,
  newestPartition,
  VERSION,
  versionKey,
} from './dynamo-lesson-items.ts';
import { putLesson } from './dynamo-lesson-put.ts';
import { type LessonShelves, lessonShelves } from './dynamo-lesson-shelves.ts';
import { belowKey, type Query, queryItems } from './dynamo-query.ts';
import { type DynamoTable, getItem, type Item } from './dynamo-table.ts';
import { s3LessonSnapshots } from './s3-lesson-snapshots.ts';
import type { Objects } from './s3-objects.ts';

/** What lessons stand on; the clock says how old they are. `every`: once in so many stored lessons it is looked at whether a snapshot is due. */
export interface LessonHouse {
  table: DynamoTable;
  objects: Objects;
  clock: Clock;
  every?: number;
}

const EVERY = 100;

/** Lessons. Who stores them also keeps the snapshots: to ask needs no right to write. */
export const dynamoLessons = ({ table, objects, clock, every = EVERY }: LessonHouse): Lessons => {
  const shelves = lessonShelves({ table, snapshots: s3LessonSnapshots(objects), least: 2 * every });
  const ends = new Map<string, number>();
  return {
    ...reading({ table, clock, shelves }),
    put: async (tenant, lesson) => {
      const { put, seq } = await putLesson(table, { tenant, lesson }, ends.get(tenant) ?? 0);
      ends.set(tenant, seq);
      if (put === 'stored' && seq % every === 0) await shelves.keep(tenant);
      return put;
    },
    claim: (tenant, keys, what) => claimKeys({ table, clock }, tenant, { keys, ...what }),
  };
};

interface Reading {
  table: DynamoTable;
  clock: Clock;
  shelves: LessonShelves;
}

const reading = ({ table, clock, shelves }: Reading): LessonsRead => {
  const lessons = async (query: Query) => (await queryItems(table, query)).map((item) => lessonOf(table, item));
  return {
    query: async (tenant, question) => {
      const query = LessonQuery.parse(question);
      const ranked = (await shelves.of(tenant)).search(query, clock.now());
      return (await hitsOf(table, tenant, ranked)).sort(byScore);
    },
    get: async (tenant, id, version) => {
      const versions = belowKey(lessonPartition(tenant, id), VERSION);
      if (version === undefined) return (await lessons({ ...versions, newest: true, limit: 1 }))[0];
      const item = await getItem(table, versionKey(tenant, id, version));
      return item === undefined ? undefined : lessonOf(table, item);
    },
    versions: (tenant, id) => lessons(belowKey(lessonPartition(tenant, id), VERSION)),
    list: (tenant, { limit, after }) => {
      const pk = newestPartition(tenant);
      if (after === undefined) return lessons({ where: '#pk = :pk', values: { pk }, limit });
      return lessons({ where: '#pk = :pk AND #sk > :after', values: { pk, after }, limit });
    },
    idle: async (tenant, { before, limit }) => {
      const values = { of: idlePartition(tenant), before: momentOf(before) };
      const where = '#idle_of = :of AND #moved_at < :before';
      const keys = await queryItems(table, { index: 'idle', where, values, limit });
      return (await getItems(table, keys)).sort(byMoment).map((item) => lessonOf(table, item));
    },
    found: (tenant, keys) => foundUnder(table, tenant, keys),
  };
};

async function hitsOf(table: DynamoTable, tenant: string, ranked: readonly Ranked[]): Promise<LessonHit[]> {
  const keys = ranked.map(({ id }) => newestKey(tenant, id));
  const found = new Map<string, Lesson>();
  for (const item of await getItems(table, keys)) found.set(item.sk, lessonOf(table, item));
  return ranked.flatMap(({ id, ...how }) => {
    const lesson = found.get(id);
    return lesson === undefined ? [] : [{ lesson, ...how }];
  });
}

const byMoment = (a: Item, b: Item): number => (String(a.moved_at) < String(b.moved_at) ? -1 : 1);

const byScore = (a: LessonHit, b: LessonHit): number => b.score - a.score || byProof(a.lesson, b.lesson);
