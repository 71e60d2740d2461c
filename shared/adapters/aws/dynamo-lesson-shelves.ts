// Shelves of lessons kept up to date: a snapshot to begin with, then the tail of what happened since, whoever did it, read before every
// query, so that the very next question finds a lesson (L3-KBS-01, L3-KBS-02). Without a snapshot that can be read, from the record.
import { emptyShelf, type LessonShelf } from '#shared/domain/knowledge/shelf.ts';
import { getItems } from './dynamo-batch.ts';
import { lessonOf, newestKey, newestPartition, tailKey } from './dynamo-lesson-items.ts';
import { tailEnd } from './dynamo-lesson-put.ts';
import { queryItems } from './dynamo-query.ts';
import { textOf } from './dynamo-rows.ts';
import type { DynamoTable, Item } from './dynamo-table.ts';
import type { LessonSnapshots } from './s3-lesson-snapshots.ts';

/** `least`: a snapshot is due when this much happened since the last one, and a sixteenth of the shelf: constant work for each lesson, on average. */
interface House {
  table: DynamoTable;
  snapshots: LessonSnapshots;
  least: number;
}

export interface LessonShelves {
  /** The tenant's shelf with everything on it that happened before the call. */
  of(tenant: string): Promise<LessonShelf>;
  /** Keeps a snapshot when much has happened since the last one. */
  keep(tenant: string): Promise<void>;
}

const SHARE = 16;

/** Shelves by tenant, loaded once per process. What concerns one shelf is done in turn: it is only ever put forward. */
export const lessonShelves = (house: House): LessonShelves => {
  const shelves = new Map<string, Shelved>();
  const turns = new Map<string, Promise<unknown>>();
  const inTurn = <T>(tenant: string, work: (shelved: Shelved) => Promise<T>): Promise<T> => {
    const next = (turns.get(tenant) ?? Promise.resolve()).then(async () => {
      const shelved = shelves.get(tenant) ?? (await opened(house, tenant));
      shelves.set(tenant, shelved);
      await takeTail(house.table, tenant, shelved);
      return work(shelved);
    });
    // What went wrong is told to who asked; the next one begins where this one stopped.
    turns.set(
      tenant,
      next.catch(() => undefined),
    );
    return next;
  };
  return {
    of: (tenant) => inTurn(tenant, async ({ shelf }) => shelf),
    keep: (tenant) =>
      inTurn(tenant, async (shelved) => {
        if (shelved.seq - shelved.kept < Math.max(house.least, shelved.shelf.size / SHARE)) return;
        await house.snapshots.keep(tenant, shelved);
        shelved.kept = shelved.seq;
      }),
  };
};

/** `seq`: up to where the tail is on the shelf. `kept`: up to where it is in a snapshot. */
interface Shelved {
  shelf: LessonShelf;
  seq: number;
  kept: number;
}

async function opened({ table, snapshots }: House, tenant: string): Promise<Shelved> {
  const snapshot = await snapshots.newest(tenant);
  if (snapshot !== undefined) return { ...snapshot, kept: snapshot.seq };
  // The end first: what happens while the record is read is read again with the tail.
  const seq = await tailEnd(table, tenant);
  const shelf = emptyShelf();
  let after = ' ';
  let page: Item[];
  do {
    page = await pageBehind(table, tenant, after);
    for (const item of page) shelf.put(lessonOf(table, item));
    after = page.at(-1)?.sk ?? after;
  } while (page.length === PAGE);
  return { shelf, seq, kept: 0 };
}

/** Lessons that are in memory at a time, beside the shelf. */
const PAGE = 1000;

const pageBehind = (table: DynamoTable, tenant: string, after: string): Promise<Item[]> => {
  const values = { pk: newestPartition(tenant), after };
  return queryItems(table, { where: '#pk = :pk AND #sk > :after', values, limit: PAGE });
};

/** The tail names what changed; its newest version is what counts, in whatever order several were stored. */
async function takeTail(table: DynamoTable, tenant: string, shelved: Shelved): Promise<void> {
  const { pk, sk } = tailKey(tenant, shelved.seq);
  const tail = await queryItems(table, { where: '#pk = :pk AND #sk > :sk', values: { pk, sk } });
  const ids = new Set(tail.map((item) => textOf(item, 'id')));
  const keys = [...ids].map((id) => newestKey(tenant, id));
  for (const item of await getItems(table, keys)) shelved.shelf.put(lessonOf(table, item));
  shelved.seq = Number(tail.at(-1)?.sk ?? sk);
}
