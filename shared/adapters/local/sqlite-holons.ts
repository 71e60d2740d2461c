// Holon cards and the root's policy in SQLite (L1-ID, L1-CAP, L1-HIE). The rules of a holarchy are checked by the caller.
import { HcaFault } from '#shared/contracts/errors.ts';
import { type HolarchyFile, HolonCard } from '#shared/contracts/holon.ts';
import { Policy } from '#shared/contracts/policy.ts';
import type { Holons } from '#shared/ports/world.ts';
import type { Row, SqliteDatabase } from './sqlite-database.ts';
import { bodyOf, textOf } from './sqlite-rows.ts';

const PUT_CARD =
  'INSERT INTO holons (tenant, id, body) VALUES (?, ?, ?) ON CONFLICT (tenant, id) DO UPDATE SET body = excluded.body';
const PUT_POLICY =
  'INSERT INTO policies (tenant, body) VALUES (?, ?) ON CONFLICT (tenant) DO UPDATE SET body = excluded.body';

/** The register of holons of this home. */
export interface SqliteHolons extends Holons {
  /** Loads the holarchy unless the tenant has one; false when it has. */
  seed(tenant: string, file: HolarchyFile): Promise<boolean>;
}

/** Holons. */
export const sqliteHolons = (db: SqliteDatabase): SqliteHolons => {
  const policyRow = (tenant: string) => db.get('SELECT body FROM policies WHERE tenant = ?', [tenant]);
  const put = (tenant: string, card: HolonCard): void => void db.run(PUT_CARD, [tenant, card.id, JSON.stringify(card)]);
  const replace = (tenant: string, file: HolarchyFile): void => {
    db.run('DELETE FROM holons WHERE tenant = ?', [tenant]);
    db.run(PUT_POLICY, [tenant, JSON.stringify(file.policy)]);
    for (const card of file.holons) put(tenant, card);
  };
  return {
    get: async (tenant, id) => {
      const row = db.get('SELECT id, body FROM holons WHERE tenant = ? AND id = ?', [tenant, id]);
      return row === undefined ? undefined : cardOf(db, row);
    },
    all: async (tenant) =>
      db.all('SELECT id, body FROM holons WHERE tenant = ? ORDER BY id', [tenant]).map((row) => cardOf(db, row)),
    policy: async (tenant) => {
      const row = policyRow(tenant);
      if (row === undefined) throw noHolarchy(tenant);
      return bodyOf(db, row, { schema: Policy, what: `the policy of ${tenant}` });
    },
    put: async (tenant, card) => put(tenant, card),
    load: async (tenant, file) => db.transaction(() => replace(tenant, file)),
    seed: async (tenant, file) =>
      db.transaction(() => {
        if (policyRow(tenant) !== undefined) return false;
        replace(tenant, file);
        return true;
      }),
  };
};

const cardOf = (db: SqliteDatabase, row: Row): HolonCard =>
  bodyOf(db, row, { schema: HolonCard, what: `the card of ${textOf(row, 'id')}` });

const noHolarchy = (tenant: string): HcaFault =>
  new HcaFault('HcaNotFound', {
    message: `tenant ${tenant} has no holarchy`,
    field: 'tenant',
    remedy: 'load a holarchy file first',
  });
