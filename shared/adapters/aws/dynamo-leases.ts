// Which open records may have lost their machine, over all tenants: each save and each look prolongs a lease, and an index holds them by its end.
import { rootOf } from '#shared/contracts/ids.ts';
import type { Tasks } from '#shared/ports/tasks.ts';
import type { Clock } from '#shared/ports/world.ts';
import { queryItems } from './dynamo-query.ts';
import { joined } from './dynamo-rows.ts';
import { type DynamoTable, type Item, type Key, updateItem } from './dynamo-table.ts';

/**
 * Partitions of the index: 16 take 16,000 writes a second. `LOOKED_AT` in each are what one sweep describes at most, 128: Step Functions allows 300 at
 * once and 15 a second.
 */
const SHARDS = 16;
const LOOKED_AT = 8;
/**
 * A lease lasts 10 to 25 minutes: deaths are told at once, this is for those that were not. It ends with a quarter of an hour, so that a record
 * that is saved often moves in the index once a quarter.
 */
const LEASE_MS = 10 * 60_000;
const QUARTER_MS = 15 * 60_000;

/** Key of a record. */
export const recordKey = (tenant: string, id: string): Key => ({ pk: joined(tenant, rootOf(id)), sk: id });

/** Attributes of a record that is open at `now` (ms); null: it is over, and leaves the index. */
export const leaseOf = (id: string, now: number | null) => ({
  lease_shard: now === null ? undefined : `${shardOf(id)}`,
  lease_until: now === null ? undefined : sortableTime(Math.ceil((now + LEASE_MS) / QUARTER_MS) * QUARTER_MS),
});

/** The part of the port that `sweep` looks through. */
export const dynamoLeases = (table: DynamoTable, clock: Clock): Pick<Tasks, 'unattended' | 'attend'> => ({
  unattended: async () => {
    const now = sortableTime(clock.now());
    const shards = Array.from({ length: SHARDS }, (_, shard) => lapsed(table, `${shard}`, now));
    return (await Promise.all(shards)).flat().map(({ pk, sk }) => ({ tenant: pk.split('#')[0] ?? '', id: sk }));
  },
  attend: async (tenant, id) => {
    const { lease_until: until } = leaseOf(id, clock.now());
    await updateItem(table, recordKey(tenant, id), {
      set: 'SET #lease_until = :until',
      if: 'attribute_exists(#lease_shard)',
      values: { until },
    });
  },
});

const lapsed = (table: DynamoTable, shard: string, now: string): Promise<Item[]> =>
  queryItems(table, {
    index: 'leases',
    where: '#lease_shard = :shard AND #lease_until < :now',
    values: { shard, now },
    limit: LOOKED_AT,
  });

/** The last letters of a ULID are random; children of one root differ behind it. */
const shardOf = (id: string): number => [...id].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % SHARDS;

const sortableTime = (ms: number): string => ms.toString().padStart(15, '0');
