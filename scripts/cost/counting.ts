// Counts what the cloud would charge for, where it is spent: at the clients of the tables and the bucket, at the bus and at the invocations.
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import type { TableIndex } from '#shared/contracts/storage.ts';
import { noUsage, UNITS, type Unit, type Usage } from '#shared/domain/rate-card.ts';
import type { Messages } from '#shared/ports/world.ts';

/** A tally that grows; `take` gives what was counted since the last time. */
export interface Tally {
  add(unit: Unit, amount: number): void;
  take(): Usage;
}

export const tally = (): Tally => {
  let counts = noUsage();
  return {
    add: (unit, amount) => {
      counts[unit] += amount;
    },
    take: () => {
      const taken = counts;
      counts = noUsage();
      return taken;
    },
  };
};

/** Sum of usages, each taken so many times. */
export const sumOf = (parts: readonly (readonly [number, Usage])[]): Usage => {
  const sum = noUsage();
  for (const [times, usage] of parts) for (const unit of UNITS) sum[unit] += times * usage[unit];
  return sum;
};

/** How long a function waits for an answer, in s: what its memory costs meanwhile is paid for. From AWS's published latencies, rounded up. */
const WAITS = { table: 0.005, bucket: 0.03, bus: 0.015 };
/** Memory of a function in GB, as the stack gives it, and what it does besides waiting, in s. */
const GB = 0.5;
const WORK = 0.01;

/** One invocation of a function. */
export const countInvocation = (counted: Tally): void => {
  counted.add('invocations', 1);
  counted.add('gb_seconds', WORK * GB);
};

const Capacity = z.object({ CapacityUnits: z.number().default(0) });
const Attributes = z.record(z.string(), z.unknown());
const Sent = z.looseObject({ Item: Attributes.optional(), Key: Attributes.optional() });
const Answer = z.looseObject({
  ConsumedCapacity: z.union([Capacity, z.array(Capacity)]).default([]),
  Attributes: Attributes.optional(),
});
type Item = Record<string, unknown>;

/** Every call of a table's client asks what it consumed; the writes of indexes, which the stand-in leaves out, are counted beside it. */
export const countTables = (client: DynamoDBDocumentClient, indexes: readonly TableIndex[], counted: Tally): void => {
  const units = countedCall(indexWrites(indexes), counted);
  client.middlewareStack.add(
    (next, context) => async (args) => {
      const asked = { ...args, input: { ...args.input, ReturnConsumedCapacity: 'TOTAL' } };
      const answer = await next(asked).catch((caught: unknown) => {
        countLost(caught, counted);
        throw caught;
      });
      units(String(context.commandName), Sent.parse(args.input), Answer.parse(answer.output));
      return answer;
    },
    { step: 'initialize' },
  );
};

/** A write whose condition did not hold is paid for like one that did. */
const countLost = (caught: unknown, counted: Tally): void => {
  if (!(caught instanceof Error) || caught.name !== 'ConditionalCheckFailedException') return;
  counted.add('writes', 1);
  counted.add('gb_seconds', WAITS.table * GB);
};

type Call = (name: string, sent: z.infer<typeof Sent>, answer: z.infer<typeof Answer>) => void;

const countedCall =
  (indexed: (item: Item) => number, counted: Tally): Call =>
  (name, { Item: put, Key: key }, { ConsumedCapacity, Attributes: changed }) => {
    const units = [ConsumedCapacity].flat().reduce((sum, one) => sum + one.CapacityUnits, 0);
    counted.add(READS.test(name) ? 'reads' : 'writes', units);
    counted.add('gb_seconds', WAITS.table * GB);
    const after = changed ?? put;
    if (after !== undefined) counted.add('writes', indexed({ ...key, ...after }));
    if (isEntry(put)) countWake(counted);
  };

/** Entries of the journal, and nothing else, begin like this. */
const isEntry = (item: Item | undefined): boolean => String(item?.sk ?? '').startsWith('log#');

/** An entry wakes the function that pushes to open connections; when nobody watches, it looks who does and is done. */
const countWake = (counted: Tally): void => {
  countInvocation(counted);
  counted.add('reads', 1);
  counted.add('gb_seconds', WAITS.table * GB);
};

const READS = /^(Get|Query|BatchGet)/;
/** Bytes of a write unit. */
const UNIT = 1024;

/** Units that indexes take for an item as it is now: nothing while what they hold of it stays the same. */
const indexWrites = (indexes: readonly TableIndex[]): ((item: Item) => number) => {
  const held = new Map<string, string>();
  return (item) => {
    let units = 0;
    for (const index of indexes) {
      const key = `${index.name} ${String(item.pk)} ${String(item.sk)}`;
      const now = heldOf(index, item);
      if (now === (held.get(key) ?? '')) continue;
      held.set(key, now);
      units += Math.max(1, Math.ceil(now.length / UNIT));
    }
    return units;
  };
};

const heldOf = ({ partition, sort, copies }: TableIndex, item: Item): string => {
  if (item[partition] === undefined) return '';
  const names = copies === 'all' ? Object.keys(item) : [partition, sort, 'pk', 'sk', ...copies];
  return JSON.stringify(names.map((name) => item[name] ?? null));
};

/** Requests of the bucket, as `PUT key`: what writes or lists is the dear kind. */
export const countBucket = (counted: Tally, asked: readonly string[]): void => {
  for (const one of asked) {
    counted.add(/^(PUT|GET \?)/.test(one) ? 'puts' : 'gets', 1);
    counted.add('gb_seconds', WAITS.bucket * GB);
  }
};

const CHUNK = 64 * 1024;
/** Messages as events. */
export const countMessages = (counted: Tally, messages: Messages): Messages => ({
  publish: async (published) => {
    for (const message of published) {
      counted.add('events', Math.ceil(Buffer.byteLength(JSON.stringify(message)) / CHUNK));
    }
    counted.add('gb_seconds', WAITS.bus * GB);
    await messages.publish(published);
  },
});
