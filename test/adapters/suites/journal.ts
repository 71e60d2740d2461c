// What the port `journal` means, for every adapter: each entry once, and a cursor that loses and repeats nothing.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Entry } from '#shared/contracts/journal.ts';
import type { Journal } from '#shared/ports/journal.ts';
import type { Opened } from './opened.ts';
import { entry, rootId, TENANT } from './samples.ts';

const ROOT = rootId(1);

/** Every third entry is the delegation's, the others are the root's. */
const nth = (n: number): Entry => (n % 3 === 0 ? entry(`${ROOT}_10`, n / 3, { kind: 'delegation' }) : entry(ROOT, n));

/** Runs the suite; `open` gives a fresh, empty store. */
export const journalSuite = (name: string, open: () => Promise<Opened<'journal'>>): void => {
  describe(`journal: ${name}`, () => {
    let house: Opened<'journal'>;
    let journal: Journal;
    const readAll = async (limit: number): Promise<Entry[]> => {
      const entries: Entry[] = [];
      for (let cursor = ''; ; ) {
        const page = await journal.read(TENANT, ROOT, { cursor, limit });
        entries.push(...page.entries);
        if (page.entries.length === 0) return entries;
        cursor = page.cursor;
      }
    };
    beforeEach(async () => {
      house = await open();
      journal = house.journal;
    });
    afterEach(() => house.close());

    test('appends each version of a record once, and the first one stays', async () => {
      await journal.append(entry(ROOT, 1));
      await journal.append(entry(ROOT, 1, { text: 'again' }));
      expect(await readAll(10)).toEqual([entry(ROOT, 1)]);
      expect(await journal.has(TENANT, ROOT, 1)).toBe(true);
      expect(await journal.has(TENANT, ROOT, 2)).toBe(false);
      expect(await journal.has('another', ROOT, 1)).toBe(false);
    });

    test('a note is kept once a message, and is no version of its record', async () => {
      const note = (message: string) => entry(ROOT, 0, { kind: 'note', note: message, text: `dropped ${message}` });
      for (const message of ['m1', 'm2', 'm1']) await journal.append(note(message));
      expect(await readAll(10)).toEqual([note('m1'), note('m2')]);
      expect(await journal.has(TENANT, ROOT, 0)).toBe(false);
    });

    test('pages merge the records below a root, oldest first, nothing lost and nothing twice', async () => {
      const said = Array.from({ length: 30 }, (_, n) => nth(n + 1));
      for (const each of said) {
        await journal.append(each);
        await journal.append(entry(rootId(2), said.indexOf(each) + 1));
      }
      for (const limit of [1, 7, 30, 100]) expect(await readAll(limit)).toEqual(said);
    });

    test('a cursor goes on behind the last entry given, also when the page was empty', async () => {
      const empty = await journal.read(TENANT, ROOT, { cursor: '', limit: 5 });
      expect(empty.entries).toEqual([]);
      await journal.append(entry(ROOT, 1));
      const first = await journal.read(TENANT, ROOT, { cursor: empty.cursor, limit: 5 });
      expect(first.entries).toEqual([entry(ROOT, 1)]);
      const none = await journal.read(TENANT, ROOT, { cursor: first.cursor, limit: 5 });
      await journal.append(entry(`${ROOT}_10`, 1));
      const second = await journal.read(TENANT, ROOT, { cursor: none.cursor, limit: 5 });
      expect(second.entries.map((each) => each.record)).toEqual([`${ROOT}_10`]);
    });

    test.each(['nonsense', '-1', 'e', '0'])('the cursor %j is refused by name', async (cursor) => {
      const read = journal.read(TENANT, ROOT, { cursor, limit: 5 });
      await expect(read).rejects.toMatchObject({ code: 'HcaBadInput', field: 'cursor' });
    });
  });
};
