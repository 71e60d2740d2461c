// Keys that are claimed all or none without a transaction. A key's item names the claim that wrote it, and counts only once that claim is
// decided, by one item that is written once. So all keys of a claim begin to count in the same moment, whoever crashes when. Keys are taken in
// one order: of those that meet, the one that is furthest never waits for another.
import type { Clock } from '#shared/ports/world.ts';
import { getItems } from './dynamo-batch.ts';
import { fingerprint, integerOf, joined, textOf } from './dynamo-rows.ts';
import { type DynamoTable, getItem, type Item, type Key, putItem, putNew, removeItem } from './dynamo-table.ts';

interface House {
  table: DynamoTable;
  clock: Clock;
}

interface Claim {
  keys: readonly string[];
  value: string;
  found: readonly (string | null)[];
}

/** A claim that is undecided for so long is dropped by whoever meets it: its process has died. If not, it finds itself dropped. */
const STALE_MS = 30_000;

/** What stands under each key, null where nothing does. Strong reads. */
export const foundUnder = async (
  table: DynamoTable,
  tenant: string,
  keys: readonly string[],
): Promise<(string | null)[]> => (await standing(table, tenant, keys)).map(standsAt);

/** Puts the value under every key that is free, all or none: false when a key does not stand as it was found to. What stands stays for ever. */
export const claimKeys = async (
  { table, clock }: House,
  tenant: string,
  { keys, value, found }: Claim,
): Promise<boolean> => {
  const places = await standing(table, tenant, keys);
  if (places.some((place, at) => standsAt(place) !== found[at])) return false;
  const free = places.filter((place) => standsAt(place) === null).sort((a, b) => (a.key.pk < b.key.pk ? -1 : 1));
  if (free.length === 0) return true;
  const mine = { claim: clock.ulid(), value, at: clock.now() };
  const taken: Key[] = [];
  for (const place of free) {
    if (!(await take(table, tenant, { place, mine }))) return giveBack(table, taken, mine.claim);
    taken.push(place.key);
  }
  return (await decide(table, tenant, { claim: mine.claim, is_taken: true })) || giveBack(table, taken, mine.claim);
};

/** `open`: the claim is under way, or its process has died. */
interface Place {
  key: Key;
  item: Item | undefined;
  state: 'free' | 'taken' | 'dropped' | 'open';
}

interface Mine {
  claim: string;
  value: string;
  at: number;
}

const standsAt = ({ item, state }: Place): string | null =>
  item === undefined || state !== 'taken' ? null : textOf(item, 'value');

async function standing(table: DynamoTable, tenant: string, keys: readonly string[]): Promise<Place[]> {
  const wanted = keys.map((key) => ({ pk: joined(tenant, 'key', fingerprint(key)), sk: 'key' }));
  const items = new Map((await getItems(table, wanted)).map((item) => [item.pk, item]));
  const claims = [...items.values()].map((item) => claimKey(tenant, textOf(item, 'claim')));
  const decided = new Map((await getItems(table, claims)).map((item) => [item.pk, item.is_taken === true]));
  return wanted.map((key) => {
    const item = items.get(key.pk);
    return { key, item, state: stateOf(item && decided.get(claimKey(tenant, textOf(item, 'claim')).pk), item) };
  });
}

function stateOf(isTaken: boolean | undefined, item: Item | undefined): Place['state'] {
  if (item === undefined) return 'free';
  if (isTaken === undefined) return 'open';
  return isTaken ? 'taken' : 'dropped';
}

/** False when somebody else has it, or may get it. */
async function take(
  table: DynamoTable,
  tenant: string,
  { place, mine }: { place: Place; mine: Mine },
): Promise<boolean> {
  const { key, item, state } = place;
  const fresh = { ...key, ...mine };
  if (item === undefined) return putNew(table, fresh);
  const theirs = textOf(item, 'claim');
  const isFresh = state === 'open' && mine.at - integerOf(item, 'at') < STALE_MS;
  if (isFresh || !(await isDropped(table, tenant, theirs))) return false;
  return putItem(table, fresh, { if: '#claim = :theirs', values: { theirs } });
}

/** Whether a claim has come to nothing; one that is undecided comes to nothing now. */
async function isDropped(table: DynamoTable, tenant: string, claim: string): Promise<boolean> {
  if (await decide(table, tenant, { claim, is_taken: false })) return true;
  return (await getItem(table, claimKey(tenant, claim)))?.is_taken === false;
}

/** Decides a claim, once and for ever; false when it is decided already. */
const decide = (table: DynamoTable, tenant: string, decision: { claim: string; is_taken: boolean }): Promise<boolean> =>
  putNew(table, { ...claimKey(tenant, decision.claim), is_taken: decision.is_taken });

/** Nothing of a claim that came to nothing counts; it is only tidied up. */
async function giveBack(table: DynamoTable, keys: readonly Key[], claim: string): Promise<false> {
  for (const key of keys) await removeItem(table, key, { if: '#claim = :claim', values: { claim } });
  return false;
}

const claimKey = (tenant: string, claim: string): Key => ({ pk: joined(tenant, 'claim', claim), sk: 'claim' });
