// Harness packages of a cloud house: those that come with its code, and those that were put, one item of DynamoDB each, the same for every tenant
// (requirements section 6).
import type { HarnessPackage } from '#shared/contracts/profile.ts';
import { inForce, named, overtaken } from '#shared/domain/harness/in-force.ts';
import { soundPackage } from '#shared/domain/harness/sound-package.ts';
import type { Profiles } from '#shared/ports/profiles.ts';
import type { Clock } from '#shared/ports/world.ts';
import { queryItems } from './dynamo-query.ts';
import { jsonOf, textOf } from './dynamo-rows.ts';
import { type DynamoTable, type Item, putItem, removeItem } from './dynamo-table.ts';

/** No tenant begins with `~`. */
const HOUSE = '~house';
/** How long a process goes by what it read, in ms: a package changes seldom, and every task reads several times. */
const FRESH_MS = 60_000;

/** Packages. `shipped`: those that come with the code. */
export const dynamoProfiles = (
  table: DynamoTable,
  clock: Clock,
  shipped: () => Promise<HarnessPackage[]> = async () => [],
): Profiles => {
  let known: { until: number; items: Promise<Item[]> } | undefined;
  const items = (): Promise<Item[]> => {
    if (known !== undefined && known.until > clock.now()) return known.items;
    const read = queryItems(table, { where: '#pk = :house', values: { house: HOUSE } });
    known = { until: clock.now() + FRESH_MS, items: read };
    read.catch(() => {
      known = undefined;
    });
    return read;
  };
  const own = async (): Promise<HarnessPackage[]> => (await items()).map((item) => packageOf(table, item));
  const all = async (): Promise<HarnessPackage[]> => inForce(await shipped(), await own());
  return {
    all,
    names: async () => (await all()).map(({ name }) => name),
    load: async (name) => named(await all(), name),
    shipped,
    own: () => {
      known = undefined;
      return own();
    },
    put: async (given) => {
      const harness = soundPackage(given.name, given);
      known = undefined;
      const { name, version } = harness;
      const item = { pk: HOUSE, sk: name, version, body: JSON.stringify(harness) };
      const later = { if: 'attribute_not_exists(#pk) OR #version < :version', values: { version } };
      if (!(await putItem(table, item, later))) throw overtaken(harness);
    },
    remove: async (name) => {
      known = undefined;
      return removeItem(table, { pk: HOUSE, sk: name }, { if: 'attribute_exists(#pk)' });
    },
  };
};

/** What was read is parsed once. */
const parsed = new WeakMap<Item, HarnessPackage>();

function packageOf(table: DynamoTable, item: Item): HarnessPackage {
  const known = parsed.get(item);
  if (known !== undefined) return known;
  const harness = soundPackage(item.sk, jsonOf(table, textOf(item, 'body'), `the harness ${item.sk}`));
  parsed.set(item, harness);
  return harness;
}
