// How much each person has left, in the table of sessions: one bucket for each thing that is counted, so that every process of the door counts alike.
import type { Principal } from '#shared/contracts/acp-host.ts';
import type { Paced } from '#shared/contracts/limits.ts';
import { EXPIRES_AT } from '#shared/contracts/storage.ts';
import { type Bucket, type Rate, takeOne } from '#shared/domain/rate-limit.ts';
import type { Clock } from '#shared/ports/world.ts';
import { expiryOf, fingerprint, integerOf, joined } from './dynamo-rows.ts';
import { type Condition, type DynamoTable, getItem, type Item, putItem } from './dynamo-table.ts';

/** A bucket is full again within a minute or so, and a full one need not be kept. */
const DAYS = 1;
/**
 * How often it is tried to write what is left. Somebody whose requests overtake each other all the time is let through uncounted: that a request is
 * answered matters more than that each is counted, and the door has a limit of its own in front.
 */
const TRIES = 2;

/** Takes one of what a person has at a rate; answers with the wait in ms, 0 for none. */
export type Throttle = (principal: Principal, what: Paced, rate: Rate) => Promise<number>;

export const dynamoThrottle =
  (table: DynamoTable, clock: Clock): Throttle =>
  async ({ tenant, subject }, what, rate) => {
    const key = { pk: joined(tenant, 'paced', fingerprint(subject)), sk: what };
    for (let tries = 0; tries < TRIES; tries += 1) {
      const item = await getItem(table, key);
      const now = clock.now();
      const { bucket, wait_ms } = takeOne(bucketOf(item), rate, now);
      // Nothing was taken, so there is nothing to write: what is left follows from when it was written last.
      if (wait_ms > 0) return wait_ms;
      const next = { ...key, ...bucket, version: integerOf(item, 'version') + 1, [EXPIRES_AT]: expiryOf(now, DAYS) };
      if (await putItem(table, next, unchanged(item))) return 0;
    }
    return 0;
  };

const bucketOf = (item: Item | undefined): Bucket | undefined =>
  item === undefined ? undefined : { left: Number(item.left), at: integerOf(item, 'at') };

const unchanged = (item: Item | undefined): Condition =>
  item === undefined
    ? { if: 'attribute_not_exists(#pk)' }
    : { if: '#version = :version', values: { version: item.version } };
