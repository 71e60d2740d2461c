// Many items at once in DynamoDB: what an answer leaves undone is asked again a few times and is a fault then, never left out.
import { setTimeout as pause } from 'node:timers/promises';
import { BatchGetCommand, BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { HcaFault } from '#shared/contracts/errors.ts';
import { calling, type DynamoTable, type Item, type Key } from './dynamo-table.ts';

/** Most keys of a BatchGetItem, and most writes of a BatchWriteItem. */
const GET_MANY = 100;
const WRITE_MANY = 25;
/** How often what was left undone is asked again, and the longest pause before, in ms: 25 + 50 + 100 + 200. */
const AGAIN = 4;
const PAUSE_MS = 25;

/** The items of these keys that there are, by strong reads, in no order. */
export const getItems = async (table: DynamoTable, keys: readonly Key[]): Promise<Item[]> => {
  const unique = [...new Map(keys.map((key) => [`${key.pk} ${key.sk}`, key])).values()];
  const found: Item[] = [];
  for (const some of chunks(unique, GET_MANY)) {
    await untilDone(table, some, async (left) => {
      const { items, undone } = await getOnce(table, left);
      found.push(...items);
      return undone;
    });
  }
  return found;
};

/** Writes whole items, whatever was there. */
export const putItems = (table: DynamoTable, items: readonly Item[]): Promise<void> =>
  writeAll(
    table,
    items.map((item) => ({ PutRequest: { Item: item } })),
  );

/** Deletes items; one that is not there is no fault. */
export const removeItems = (table: DynamoTable, keys: readonly Key[]): Promise<void> =>
  writeAll(
    table,
    keys.map(({ pk, sk }) => ({ DeleteRequest: { Key: { pk, sk } } })),
  );

async function getOnce(table: DynamoTable, keys: readonly Key[]): Promise<{ items: Item[]; undone: Key[] }> {
  const asked = { Keys: keys.map(({ pk, sk }) => ({ pk, sk })), ConsistentRead: true };
  const command = new BatchGetCommand({ RequestItems: { [table.name]: asked } });
  const answer = await calling(table, () => table.client.send(command));
  const items = answer.Responses?.[table.name] ?? [];
  return {
    items: items.map((item) => ({ ...item, pk: String(item.pk), sk: String(item.sk) })),
    undone: (answer.UnprocessedKeys?.[table.name]?.Keys ?? []).map(({ pk, sk }) => ({
      pk: String(pk),
      sk: String(sk),
    })),
  };
}

type Write = { PutRequest: { Item: Item } } | { DeleteRequest: { Key: Key } };

async function writeAll(table: DynamoTable, writes: readonly Write[]): Promise<void> {
  for (const some of chunks(writes, WRITE_MANY)) {
    await untilDone(table, some, async (left) => {
      const command = new BatchWriteCommand({ RequestItems: { [table.name]: [...left] } });
      const { UnprocessedItems: undone } = await calling(table, () => table.client.send(command));
      const keys = new Set((undone?.[table.name] ?? []).map((write) => keyText(write)));
      return left.filter((write) => keys.has(keyText(write)));
    });
  }
}

/** What identifies a write in the answer, which gives it back as a new object. */
function keyText(write: {
  PutRequest?: { Item: Record<string, unknown> | undefined } | undefined;
  DeleteRequest?: { Key: Record<string, unknown> | undefined } | undefined;
}): string {
  const key = write.PutRequest?.Item ?? write.DeleteRequest?.Key;
  return `${String(key?.pk)} ${String(key?.sk)}`;
}

async function untilDone<T>(
  table: DynamoTable,
  all: readonly T[],
  attempt: (left: readonly T[]) => Promise<readonly T[]>,
): Promise<void> {
  let left = all;
  for (let times = 0; times <= AGAIN; times += 1) {
    if (times > 0) await pause(Math.random() * PAUSE_MS * 2 ** (times - 1));
    left = await attempt(left);
    if (left.length === 0) return;
  }
  throw new HcaFault('HcaThrottled', {
    message: `the table ${table.name} left ${left.length} of ${all.length} items undone`,
    field: `table ${table.name}`,
    remedy: 'try again; what was done is the same when it is done again',
  });
}

function chunks<T>(all: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, n) => all.slice(n * size, (n + 1) * size));
}
