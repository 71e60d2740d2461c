// Harness packages in DynamoDB, one item each, the same for every tenant (requirements section 6).
import { HcaFault } from '#shared/contracts/errors.ts';
import { HarnessPackage } from '#shared/contracts/profile.ts';
import { packageFaults } from '#shared/domain/harness/check-package.ts';
import type { Profiles } from '#shared/ports/profiles.ts';
import type { Clock } from '#shared/ports/world.ts';
import { queryItems } from './dynamo-query.ts';
import { jsonOf, textOf } from './dynamo-rows.ts';
import { type DynamoTable, type Item, putItem } from './dynamo-table.ts';

/** No tenant begins with `~`. */
const HOUSE = '~house';
/** How long a process goes by what it read, in ms: a package changes with a release, and every task reads several times. */
const FRESH_MS = 60_000;

/** Harness packages, and how they come into the table. */
export interface DynamoProfiles extends Profiles {
  /** Adds or replaces a package. @throws HcaFault HcaBadInput naming the field of one that is invalid */
  put(harness: HarnessPackage): Promise<void>;
}

/** Profiles. */
export const dynamoProfiles = (table: DynamoTable, clock: Clock): DynamoProfiles => {
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
  return {
    names: async () => (await items()).map(({ sk }) => sk),
    all: async () => (await items()).map((item) => packageOf(table, item)),
    load: async (name) => {
      const all = await items();
      const item = all.find(({ sk }) => sk === name);
      if (item !== undefined) return packageOf(table, item);
      throw new HcaFault('HcaNotFound', {
        message: `there is no harness "${name}"`,
        field: 'harness',
        remedy: `one of: ${all.map(({ sk }) => sk).join(', ')}`,
      });
    },
    put: async (harness) => {
      const checked = checkedPackage(harness.name, harness);
      known = undefined;
      await putItem(table, { pk: HOUSE, sk: checked.name, body: JSON.stringify(checked) });
    },
  };
};

/** What was read is parsed once. */
const parsed = new WeakMap<Item, HarnessPackage>();

function packageOf(table: DynamoTable, item: Item): HarnessPackage {
  const known = parsed.get(item);
  if (known !== undefined) return known;
  const harness = checkedPackage(item.sk, jsonOf(table, textOf(item, 'body'), `the harness ${item.sk}`));
  parsed.set(item, harness);
  return harness;
}

function checkedPackage(name: string, value: unknown): HarnessPackage {
  const harness = HarnessPackage.safeParse(value);
  if (!harness.success) throw invalid(name, harness.error.issues[0]?.path.join('.'), harness.error.issues[0]?.message);
  const [fault] = packageFaults(harness.data);
  if (fault !== undefined) throw invalid(name, fault.field, fault.message);
  return harness.data;
}

function invalid(name: string, field = '', message = 'it is not valid'): HcaFault {
  return new HcaFault('HcaBadInput', {
    message: `harness ${name}: ${field}: ${message}`,
    field,
    remedy: `correct the package ${name} and store it again`,
  });
}
