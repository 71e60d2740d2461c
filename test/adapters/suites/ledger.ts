// What the port `ledger` means, for every adapter: never overspent, every answer final (pitfalls 4 to 9 and 38; traces V11 and V12).
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { restOf } from '#shared/domain/ledger.ts';
import type { Ledger } from '#shared/ports/ledger.ts';
import type { Opened } from './opened.ts';
import { all, rootId, TENANT } from './samples.ts';

const ROOT = rootId(1);
const child = (n: number): string => `${ROOT}_10_${n}`;

/** Runs the suite; `open` gives a fresh, empty store. */
export const ledgerSuite = (name: string, open: () => Promise<Opened<'ledger'>>): void => {
  describe(`ledger: ${name}`, () => {
    let house: Opened<'ledger'>;
    let ledger: Ledger;
    const rest = async (task: string) => {
      const item = await ledger.read(TENANT, task);
      return item === undefined ? undefined : restOf(item);
    };
    const grant = (n: number, amount: number, key = `g${n}`) =>
      ledger.grant(TENANT, { parent: ROOT, child: child(n), key, budget: all(amount) });
    beforeEach(async () => {
      house = await open();
      ledger = house.ledger;
    });
    afterEach(() => house.close());

    test('a task without a ledger is refused everything; a ledger is opened once', async () => {
      expect(await ledger.read(TENANT, ROOT)).toBeUndefined();
      expect(await ledger.reserve(TENANT, ROOT, { key: 'k', amount: all(1) })).toBe(false);
      expect(await ledger.spend(TENANT, ROOT, { key: 'k', amount: all(1) })).toBe(false);
      expect(await grant(1, 1)).toBe(false);
      await ledger.open(TENANT, ROOT, all(10));
      await ledger.open(TENANT, ROOT, all(99));
      expect(await rest(ROOT)).toEqual(all(10));
      expect(await ledger.read('another', ROOT)).toBeUndefined();
    });

    test('0 means refuse (pitfall 8)', async () => {
      await ledger.open(TENANT, ROOT, all(0));
      expect(await ledger.reserve(TENANT, ROOT, { key: 'k', amount: all(1) })).toBe(false);
    });

    test('reserve, commit and release: every movement counts once', async () => {
      await ledger.open(TENANT, ROOT, all(10));
      expect(await ledger.reserve(TENANT, ROOT, { key: 'a', amount: all(6) })).toBe(true);
      expect(await ledger.reserve(TENANT, ROOT, { key: 'a', amount: all(6) })).toBe(true);
      expect(await ledger.reserve(TENANT, ROOT, { key: 'b', amount: all(5) })).toBe(false);
      expect(await rest(ROOT)).toEqual(all(4));
      await ledger.commit(TENANT, ROOT, { key: 'a', amount: all(2) });
      await ledger.commit(TENANT, ROOT, { key: 'a', amount: all(2) });
      await ledger.commit(TENANT, ROOT, { key: 'never reserved', amount: all(2) });
      expect(await rest(ROOT)).toEqual(all(8));
      expect(await ledger.spend(TENANT, ROOT, { key: 's', amount: all(3) })).toBe(true);
      expect(await ledger.spend(TENANT, ROOT, { key: 's', amount: all(3) })).toBe(true);
      expect(await rest(ROOT)).toEqual(all(5));
    });

    test('a commit takes at most what was reserved; found open at re-entry it is the worst case', async () => {
      await ledger.open(TENANT, ROOT, all(10));
      await ledger.reserve(TENANT, ROOT, { key: 'a', amount: all(3) });
      await ledger.commit(TENANT, ROOT, { key: 'a', amount: all(7) });
      expect(await rest(ROOT)).toEqual(all(7));
      await ledger.reserve(TENANT, ROOT, { key: 'b', amount: all(4) });
      await ledger.settleOpen(TENANT, ROOT);
      await ledger.commit(TENANT, ROOT, { key: 'b', amount: all(1) });
      expect(await rest(ROOT)).toEqual(all(3));
    });

    test('40 children ask at once: exactly what fits is granted, overrun 0', async () => {
      await ledger.open(TENANT, ROOT, all(100));
      const answers = await Promise.all(Array.from({ length: 40 }, (_, n) => grant(n, 7)));
      expect(answers.filter((granted) => granted)).toHaveLength(14);
      expect(await rest(ROOT)).toEqual(all(2));
      const budgets = await Promise.all(answers.map((_, n) => rest(child(n))));
      expect(budgets.map((budget) => budget !== undefined)).toEqual(answers);
    });

    test('an answer to a grant is final, the refusal too (V11)', async () => {
      await ledger.open(TENANT, ROOT, all(10));
      expect(await grant(1, 8)).toBe(true);
      expect(await grant(2, 8)).toBe(false);
      await ledger.close(TENANT, child(1));
      expect(await rest(ROOT)).toEqual(all(10));
      expect(await grant(2, 8)).toBe(false);
      expect(await grant(1, 8)).toBe(true);
      expect(await grant(2, 8, 'another key')).toBe(true);
      expect(await rest(ROOT)).toEqual(all(2));
    });

    test('closing returns only what is certainly unspent, once, and refuses what comes later', async () => {
      await ledger.open(TENANT, ROOT, all(10));
      await grant(1, 8);
      await ledger.spend(TENANT, child(1), { key: 's', amount: all(1) });
      await ledger.reserve(TENANT, child(1), { key: 'running', amount: all(2) });
      await ledger.close(TENANT, child(1));
      await ledger.close(TENANT, child(1));
      expect(await rest(ROOT)).toEqual(all(7));
      await ledger.commit(TENANT, child(1), { key: 'running', amount: all(2) });
      expect(await ledger.reserve(TENANT, child(1), { key: 'zombie', amount: all(1) })).toBe(false);
      expect(await ledger.spend(TENANT, child(1), { key: 'zombie', amount: all(1) })).toBe(false);
      expect(await rest(ROOT)).toEqual(all(7));
    });

    test('a ledger closed before it was opened is a tombstone: a late grant takes nothing (V12)', async () => {
      await ledger.open(TENANT, ROOT, all(10));
      await ledger.close(TENANT, child(1));
      expect(await grant(1, 8)).toBe(false);
      await ledger.open(TENANT, child(1), all(8));
      expect(await ledger.spend(TENANT, child(1), { key: 'zombie', amount: all(1) })).toBe(false);
      expect(await rest(ROOT)).toEqual(all(10));
      expect(await ledger.read(TENANT, child(1))).toMatchObject({ closed: true });
    });
  });
};
