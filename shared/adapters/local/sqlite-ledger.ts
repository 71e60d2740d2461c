// The ledger in SQLite: load, reduce, save in one transaction that is alone among all processes, so an overrun cannot happen (pitfalls 7 and 38).
import { Ledger as LedgerItem } from '#shared/contracts/budget.ts';
import { ZERO } from '#shared/domain/budget.ts';
import { closeLedger, commit, openLedger, reserve, settleOpen, spend } from '#shared/domain/ledger.ts';
import { closeInto, grantInto } from '#shared/domain/ledger-pair.ts';
import type { Ledger } from '#shared/ports/ledger.ts';
import type { SqliteDatabase } from './sqlite-database.ts';
import { bodyOf } from './sqlite-rows.ts';

const SAVE =
  'INSERT INTO ledgers (tenant, task, body) VALUES (?, ?, ?) ON CONFLICT (tenant, task) DO UPDATE SET body = excluded.body';

/** A task without a ledger was granted nothing: whatever it asks is refused. */
export const sqliteLedger = (db: SqliteDatabase): Ledger => {
  const items = ledgerItems(db);
  const move = (tenant: string, task: string, next: Reducer): boolean =>
    db.transaction(() => apply(items, { tenant, task, next }));
  return {
    read: async (tenant, task) => items.load(tenant, task),
    reserve: async (tenant, task, { key, amount }) => move(tenant, task, (ledger) => reserve(ledger, key, amount)),
    commit: async (tenant, task, { key, amount }) => {
      move(tenant, task, (ledger) => commit(ledger, key, amount));
    },
    settleOpen: async (tenant, task) => {
      move(tenant, task, settleOpen);
    },
    spend: async (tenant, task, { key, amount }) => move(tenant, task, (ledger) => spend(ledger, key, amount)),
    open: async (tenant, task, budget) =>
      db.transaction(() => {
        if (items.load(tenant, task) === undefined) items.save(tenant, undefined, openLedger(task, budget));
      }),
    grant: async (tenant, asked) => db.transaction(() => grant(items, tenant, asked)),
    close: async (tenant, task) => db.transaction(() => close(items, tenant, task)),
  };
};

/** What becomes of a ledger; null is a refusal. */
type Reducer = (ledger: LedgerItem) => LedgerItem | null;

interface LedgerItems {
  load(tenant: string, task: string): LedgerItem | undefined;
  /** Writes only what changed. */
  save(tenant: string, before: LedgerItem | undefined, after: LedgerItem | undefined): void;
}

const ledgerItems = (db: SqliteDatabase): LedgerItems => ({
  load: (tenant, task) => {
    const row = db.get('SELECT body FROM ledgers WHERE tenant = ? AND task = ?', [tenant, task]);
    return row === undefined ? undefined : bodyOf(db, row, { schema: LedgerItem, what: `the ledger of ${task}` });
  },
  save: (tenant, before, after) => {
    if (after !== undefined && after !== before) db.run(SAVE, [tenant, after.task, JSON.stringify(after)]);
  },
});

function apply(items: LedgerItems, { tenant, task, next }: { tenant: string; task: string; next: Reducer }): boolean {
  const before = items.load(tenant, task);
  const after = before === undefined ? null : next(before);
  if (after === null) return false;
  items.save(tenant, before, after);
  return true;
}

function grant(items: LedgerItems, tenant: string, asked: Parameters<Ledger['grant']>[1]): boolean {
  const parent = items.load(tenant, asked.parent);
  if (parent === undefined) return false;
  const child = items.load(tenant, asked.child);
  const after = grantInto({ parent, child }, { child: asked.child, key: asked.key, amount: asked.budget });
  items.save(tenant, parent, after.parent);
  items.save(tenant, child, after.child);
  return after.granted;
}

function close(items: LedgerItems, tenant: string, task: string): void {
  const child = items.load(tenant, task);
  const from = child?.parent?.task;
  const parent = from === undefined ? undefined : items.load(tenant, from);
  if (parent === undefined) {
    items.save(tenant, child, closeLedger(child ?? openLedger(task, ZERO)).child);
    return;
  }
  const closed = closeInto({ parent, child }, task);
  items.save(tenant, child, closed.child);
  items.save(tenant, parent, closed.parent);
}
