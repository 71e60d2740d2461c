// The ledger in DynamoDB: one item per task, each movement the pure rule applied to what was read and written on that version, so an overrun
// cannot happen (pitfalls 7 and 38). A pair, parent and child, is two such writes; each repeats harmlessly, so a crash between them is mended by the repeat.
import { Ledger as LedgerItem } from '#shared/contracts/budget.ts';
import { ZERO } from '#shared/domain/budget.ts';
import { closeLedger, commit, openLedger, reserve, settleOpen, spend } from '#shared/domain/ledger.ts';
import { closeInto, grantInto } from '#shared/domain/ledger-pair.ts';
import type { Ledger } from '#shared/ports/ledger.ts';
import { untilAlone } from './dynamo-race.ts';
import { bodyOf, integerOf, joined } from './dynamo-rows.ts';
import { type DynamoTable, getItem, type Key, putItem } from './dynamo-table.ts';

/** A task without a ledger was granted nothing: whatever it asks is refused. */
export const dynamoLedger = (table: DynamoTable): Ledger => {
  const items = ledgerItems(table);
  const move = (tenant: string, task: string, next: Reducer): Promise<boolean> =>
    untilAlone(`the ledger of ${task}`, () => apply(items, { tenant, task, next }));
  return {
    read: async (tenant, task) => (await items.load(tenant, task)).ledger,
    reserve: (tenant, task, { key, amount }) => move(tenant, task, (ledger) => reserve(ledger, key, amount)),
    commit: async (tenant, task, { key, amount }) => {
      await move(tenant, task, (ledger) => commit(ledger, key, amount));
    },
    settleOpen: async (tenant, task) => {
      await move(tenant, task, settleOpen);
    },
    spend: (tenant, task, { key, amount }) => move(tenant, task, (ledger) => spend(ledger, key, amount)),
    open: async (tenant, task, budget) => {
      const nothing = { tenant, ledger: undefined, version: 0 };
      await items.save(nothing, openLedger(task, budget));
    },
    grant: (tenant, asked) => untilAlone(`the ledger of ${asked.parent}`, () => grant(items, tenant, asked)),
    close: async (tenant, task) => {
      await untilAlone(`the ledger of ${task}`, () => close(items, tenant, task));
    },
  };
};

/** What becomes of a ledger; null is a refusal. */
type Reducer = (ledger: LedgerItem) => LedgerItem | null;

/** A ledger as it was read; version 0 when there is none. */
interface Read {
  tenant: string;
  ledger: LedgerItem | undefined;
  version: number;
}

interface LedgerItems {
  load(tenant: string, task: string): Promise<Read>;
  /** Writes only what changed; false when somebody else wrote since it was read. */
  save(read: Read, after: LedgerItem | undefined): Promise<boolean>;
}

const ledgerItems = (table: DynamoTable): LedgerItems => ({
  load: async (tenant, task) => {
    const item = await getItem(table, keyOf(tenant, task));
    if (item === undefined) return { tenant, ledger: undefined, version: 0 };
    const ledger = bodyOf(table, item, { schema: LedgerItem, what: `the ledger of ${task}` });
    return { tenant, ledger, version: integerOf(item, 'version') };
  },
  save: async ({ tenant, ledger, version }, after) => {
    if (after === undefined || after === ledger) return true;
    const item = { ...keyOf(tenant, after.task), version: version + 1, body: JSON.stringify(after) };
    const unchanged = { if: '#version = :version', values: { version } };
    return putItem(table, item, version === 0 ? { if: 'attribute_not_exists(#pk)' } : unchanged);
  },
});

const keyOf = (tenant: string, task: string): Key => ({ pk: joined(tenant, task), sk: 'ledger' });

async function apply(
  items: LedgerItems,
  { tenant, task, next }: { tenant: string; task: string; next: Reducer },
): Promise<boolean | undefined> {
  const before = await items.load(tenant, task);
  const after = before.ledger === undefined ? null : next(before.ledger);
  if (after === null) return false;
  return (await items.save(before, after)) ? true : undefined;
}

/** The parent first: what a child has was always taken from somewhere. */
async function grant(
  items: LedgerItems,
  tenant: string,
  asked: Parameters<Ledger['grant']>[1],
): Promise<boolean | undefined> {
  const child = await items.load(tenant, asked.child);
  // Read last, because it is the one that others move as well.
  const parent = await items.load(tenant, asked.parent);
  if (parent.ledger === undefined) return false;
  const pair = { parent: parent.ledger, child: child.ledger };
  const after = grantInto(pair, { child: asked.child, key: asked.key, amount: asked.budget });
  if (!(await items.save(parent, after.parent))) return undefined;
  return (await items.save(child, after.child)) ? after.granted : undefined;
}

/** The child first: what goes back can no longer be spent. */
async function close(items: LedgerItems, tenant: string, task: string): Promise<true | undefined> {
  const child = await items.load(tenant, task);
  const from = child.ledger?.parent?.task;
  const parent = from === undefined ? undefined : await items.load(tenant, from);
  if (parent?.ledger === undefined) {
    const { child: closed } = closeLedger(child.ledger ?? openLedger(task, ZERO));
    return (await items.save(child, closed)) ? true : undefined;
  }
  const closed = closeInto({ parent: parent.ledger, child: child.ledger }, task);
  if (!(await items.save(child, closed.child))) return undefined;
  return (await items.save(parent, closed.parent)) ? true : undefined;
}
