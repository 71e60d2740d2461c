// Holon cards and the root's policy in DynamoDB (L1-ID, L1-CAP, L1-HIE). The rules of a holarchy are checked by the caller.
// A whole holarchy takes effect by one write: its cards lie under an edition, and the policy's item says which edition holds.
import { randomUUID } from 'node:crypto';
import { HcaFault } from '#shared/contracts/errors.ts';
import { type HolarchyFile, HolonCard } from '#shared/contracts/holon.ts';
import { Policy } from '#shared/contracts/policy.ts';
import type { Holons } from '#shared/ports/world.ts';
import { putItems, removeItems } from './dynamo-batch.ts';
import { belowKey, queryItems } from './dynamo-query.ts';
import { bodyOf, integerOf, joined, sortable, textOrNull } from './dynamo-rows.ts';
import { type DynamoTable, getItem, type Item, type Key, putItem } from './dynamo-table.ts';

/** Cards that were put before any holarchy was loaded. */
const FIRST = joined(sortable(0), 'first');

/** Nobody loads holarchies one after the other for so long. */
const TRIES = 3;

/** Holons. `first`: the holarchy of a tenant for which none was loaded yet; the first change stores it whole. */
export const dynamoHolons = (table: DynamoTable, first?: () => Promise<HolarchyFile>): Holons => {
  const current = (tenant: string): Promise<Item | undefined> => getItem(table, headKey(tenant));
  const firstFor = async (head: Item | undefined) => (head === undefined ? first?.() : undefined);
  return {
    get: async (tenant, id) => {
      const head = await current(tenant);
      const shipped = await firstFor(head);
      if (shipped !== undefined) return shipped.holons.find((card) => card.id === id);
      const item = await getItem(table, cardKey(tenant, editionOf(head), id));
      return item === undefined ? undefined : cardOf(table, item);
    },
    all: async (tenant) => {
      const head = await current(tenant);
      const shipped = await firstFor(head);
      if (shipped !== undefined) return byId(shipped.holons);
      const items = await queryItems(table, belowKey(tenant, joined('card', editionOf(head), '')));
      return items.map((item) => cardOf(table, item));
    },
    policy: async (tenant) => {
      const head = await current(tenant);
      const shipped = await firstFor(head);
      if (shipped !== undefined) return shipped.policy;
      if (head === undefined) throw noHolarchy(tenant);
      return bodyOf(table, head, { schema: Policy, what: `the policy of ${tenant}` });
    },
    put: async (tenant, card) => {
      const head = await current(tenant);
      const shipped = await firstFor(head);
      if (shipped === undefined) return putCard(table, { tenant, card, edition: editionOf(head) });
      const others = shipped.holons.filter(({ id }) => id !== card.id);
      return load(table, tenant, { file: { ...shipped, holons: [...others, card] }, head });
    },
    load: async (tenant, file) => load(table, tenant, { file, head: await current(tenant) }),
  };
};

/** In the order in which a query gives them. */
const byId = (cards: readonly HolonCard[]): HolonCard[] =>
  [...cards].sort((left, right) => (left.id < right.id ? -1 : 1));

const headKey = (tenant: string): Key => ({ pk: tenant, sk: 'head' });

const cardKey = (tenant: string, edition: string, id: string): Key => ({ pk: tenant, sk: joined('card', edition, id) });

const cardItem = (tenant: string, edition: string, card: HolonCard): Item => ({
  ...cardKey(tenant, edition, card.id),
  body: JSON.stringify(card),
});

const editionOf = (head: Item | undefined): string => (head && textOrNull(head, 'edition')) ?? FIRST;

const cardOf = (table: DynamoTable, item: Item): HolonCard =>
  bodyOf(table, item, { schema: HolonCard, what: `the card of ${item.sk.split('#').at(-1)}` });

/** A holarchy may be loaded meanwhile, and a card of the one before is nobody's: it is put again where it counts. */
async function putCard(
  table: DynamoTable,
  { tenant, card, edition }: { tenant: string; card: HolonCard; edition: string },
): Promise<void> {
  let at = edition;
  for (let tries = 0; tries < TRIES; tries += 1) {
    await putItem(table, cardItem(tenant, at, card));
    const now = editionOf(await getItem(table, headKey(tenant)));
    if (now === at) return;
    at = now;
  }
  throw lostRace(tenant);
}

/** Cut off before the head is written, it was never loaded; what it left is cleared by a later load. */
async function load(
  table: DynamoTable,
  tenant: string,
  { file, head }: { file: HolarchyFile; head: Item | undefined },
): Promise<void> {
  const number = integerOf(head, 'number') + 1;
  const edition = joined(sortable(number), randomUUID());
  await putItems(
    table,
    file.holons.map((card) => cardItem(tenant, edition, card)),
  );
  const next = { ...headKey(tenant), number, edition, body: JSON.stringify(file.policy) };
  const unchanged = { if: '#edition = :edition', values: { edition: editionOf(head) } };
  const won = await putItem(table, next, head === undefined ? { if: 'attribute_not_exists(#pk)' } : unchanged);
  if (!won) throw lostRace(tenant);
  await clear(table, tenant, number);
}

/** The edition just replaced stays until the next load: somebody may have read that it holds a moment ago. */
async function clear(table: DynamoTable, tenant: string, number: number): Promise<void> {
  const [first, last] = [joined('card', sortable(0)), joined('card', sortable(number - 1))];
  const where = '#pk = :tenant AND #sk BETWEEN :first AND :last';
  await removeItems(table, await queryItems(table, { where, values: { tenant, first, last } }));
}

const lostRace = (tenant: string): HcaFault =>
  new HcaFault('HcaConflict', { message: `another holarchy of ${tenant} was loaded at the same time` });

const noHolarchy = (tenant: string): HcaFault =>
  new HcaFault('HcaNotFound', {
    message: `tenant ${tenant} has no holarchy`,
    field: 'tenant',
    remedy: 'load a holarchy file first',
  });
