// Waits and marks in DynamoDB: first outcome wins, a token only over a lower fence, marks for ever (architecture section 3).
// Every write is one conditional update, so what a rule allows is decided where the item lies.
import { Outcome, type Wait, type WaitKey } from '#shared/contracts/effects.ts';
import { rootOf } from '#shared/contracts/ids.ts';
import { EXPIRES_AT } from '#shared/contracts/storage.ts';
import type { Marks, Waits } from '#shared/ports/waits.ts';
import type { Clock } from '#shared/ports/world.ts';
import { belowKey, queryItems } from './dynamo-query.ts';
import { expiryOf, joined, packed, parsedAs, sortable, textOf, textOrNull, unpacked } from './dynamo-rows.ts';
import { type Change, type DynamoTable, getItem, type Item, type Key, putNew, updateItem } from './dynamo-table.ts';

const WAIT = 'wait#';
const WAIT_KEY = /^wait#(.*)#(\d+)$/;

/** Days that a wait stays after the last write to it: no task has more than seven to its deadline, and a month is left to look. */
const WAIT_DAYS = 37;

/** Waits. One that nobody writes to any more expires, long after the deadline of its task. */
export const dynamoWaits = (table: DynamoTable, clock: Pick<Clock, 'now'>): Waits => {
  const find = async (tenant: string, key: WaitKey): Promise<Wait | undefined> => {
    const item = await getItem(table, waitKey(tenant, key));
    return item === undefined ? undefined : waitOf(table, item, key.task);
  };
  const change = async (tenant: string, key: WaitKey, what: Change): Promise<Wait> => {
    const item = await updateItem(table, waitKey(tenant, key), {
      ...what,
      set: `${what.set}, #${EXPIRES_AT} = :until`,
      values: { ...what.values, until: expiryOf(clock.now(), WAIT_DAYS) },
    });
    if (item !== undefined) return waitOf(table, item, key.task);
    return (await find(tenant, key)) ?? blank(key);
  };
  return {
    read: find,
    of: async (tenant, task) => {
      const items = await queryItems(table, belowKey(joined(tenant, task), WAIT));
      return items.map((item) => waitOf(table, item, task));
    },
    open: (tenant, key) =>
      change(tenant, key, { set: 'SET #fence = if_not_exists(#fence, :none)', values: { none: '' } }),
    token: (tenant, key, { token, fence }) =>
      change(tenant, key, {
        set: 'SET #token = :token, #fence = :fence, #rank = :rank',
        if: 'attribute_not_exists(#rank) OR #rank < :rank',
        values: { token, fence, rank: rankOf(fence) },
      }),
    agree: (tenant, key) =>
      change(tenant, key, {
        set: 'SET #agreed = :yes',
        if: 'attribute_not_exists(#outcome)',
        values: { yes: true },
      }),
    outcome: (tenant, key, outcome) =>
      change(tenant, key, {
        set: 'SET #outcome = :outcome',
        if: 'attribute_not_exists(#outcome)',
        values: { outcome: packed(JSON.stringify(outcome)) },
      }),
    end: (tenant, key, outcome) =>
      change(tenant, key, {
        set: 'SET #ended = :yes, #outcome = if_not_exists(#outcome, :outcome)',
        values: { yes: true, outcome: packed(JSON.stringify(outcome)) },
      }),
  };
};

/** Marks. */
export const dynamoMarks = (table: DynamoTable): Marks => ({
  set: async (tenant, record, cause) => void (await putNew(table, { ...markKey(tenant, record), cause })),
  read: async (tenant, records) => {
    const items = await Promise.all([...new Set(records.map(rootOf))].map((root) => marksBelow(table, tenant, root)));
    const causes = new Map(items.flat().map((item) => [item.sk, textOf(item, 'cause')]));
    const marked = records.find((record) => causes.has(markKey(tenant, record).sk));
    return marked === undefined ? null : (causes.get(markKey(tenant, marked).sk) ?? null);
  },
});

const waitKey = (tenant: string, { task, on, offer }: WaitKey): Key => ({
  pk: joined(tenant, task),
  sk: `${WAIT}${on}#${sortable(offer)}`,
});

/** The marks below a root lie together: one strong question whatever is asked about, and it mostly finds nothing. */
const MARK = joined('mark', '');
const markKey = (tenant: string, record: string): Key => ({
  pk: joined(tenant, rootOf(record)),
  sk: `${MARK}${record}`,
});

const marksBelow = (table: DynamoTable, tenant: string, root: string): Promise<Item[]> =>
  queryItems(table, belowKey(joined(tenant, root), MARK));

const blank = (key: WaitKey): Wait => ({ key, token: null, fence: '', agreed: false, outcome: null, ended: false });

/** A fence as text that sorts as `compareFence` does: number by number, a missing part before a 0. */
const rankOf = (fence: string): string =>
  fence
    .split('.')
    .map((part) => sortable(Number(part)))
    .join('.');

function waitOf(table: DynamoTable, item: Item, task: string): Wait {
  const [, on = '', offer = '0'] = WAIT_KEY.exec(item.sk) ?? [];
  const what = `the outcome of ${task} on ${on}, offer ${Number(offer)}`;
  return {
    key: { task, on, offer: Number(offer) },
    token: textOrNull(item, 'token'),
    fence: textOrNull(item, 'fence') ?? '',
    agreed: item.agreed === true,
    outcome:
      item.outcome == null
        ? null
        : parsedAs(table, unpacked(table, item, { name: 'outcome', what }), { schema: Outcome, what }),
    ended: item.ended === true,
  };
}
