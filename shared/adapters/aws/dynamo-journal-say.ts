// Saying something in a root's journal once: a version of a record, or a note (docs/decisions/0043).
import { between, itemOf, LAST, logOf, placeOf, type Saying, type What } from './dynamo-journal-log.ts';
import { integerOf, joined, textOf } from './dynamo-rows.ts';
import { type DynamoTable, getItem, type Item, type Key, putNew, updateItem } from './dynamo-table.ts';

/** A version of a record. */
export interface Version {
  pk: string;
  record: string;
  version: number;
}

/** Entries of a page when looking back, and how much more the next page has: mostly a record's last entry is among the last of its log. */
const LOOK = { first: 5, grows: 4 };

/**
 * Looks from the end of a record's log for its newest version. A version is said before the next one is decided, so the newest tells of all before it.
 * `end`: the last position when the look began; nothing came behind it if the next place is still free.
 */
export async function lookBack(
  table: DynamoTable,
  { pk, record, version }: Version,
): Promise<{ isSaid: boolean; end: number }> {
  const log = logOf(record);
  let end = 0;
  for (let limit = LOOK.first, before = LAST; ; limit *= LOOK.grows) {
    const page = await between(table, { pk, log, after: 0, before, limit, newest: true });
    end = Math.max(end, integerOf(page[0], 'position'));
    const own = page.find((item) => item.record === record && versionOf(item) !== undefined);
    if (own !== undefined) return { isSaid: (versionOf(own) ?? 0) >= version, end };
    if (page.length < limit) return { isSaid: false, end };
    before = integerOf(page.at(-1), 'position');
  }
}

/** One attempt: true when it is said, undefined when another entry took its place. Nothing came between the look and the place, or the place is not free. */
export async function sayVersion(table: DynamoTable, which: Version, { entry, born }: What): Promise<true | undefined> {
  const { isSaid: alreadySaid, end } = await lookBack(table, which);
  if (alreadySaid) return true;
  const saying = { ...which, said: versionText(which.version) };
  return (await putNew(table, itemOf(saying, { position: end + 1, entry, born }))) || undefined;
}

/** The same for a note, of which nothing in its log tells whether it was said: it has a claim of its own, on the place where it lies or is about to. */
export async function sayNote(table: DynamoTable, saying: Saying, what: What): Promise<true | undefined> {
  const position = await claim(table, saying);
  if (await isPut(table, saying, { ...what, position })) return true;
  const moved = { next: await nextOf(table, saying), taken: position };
  await updateItem(table, claimKey(saying), {
    set: 'SET #position = :next',
    if: '#position = :taken',
    values: moved,
  });
  return undefined;
}

const claimKey = ({ pk, record, said }: Saying): Key => ({ pk, sk: joined('said', record, said) });

/** Notes the first free place before it is taken, so that a repeat after a crash goes on there. A claim is never taken away. */
async function claim(table: DynamoTable, saying: Saying): Promise<number> {
  const position = await nextOf(table, saying);
  if (await putNew(table, { ...claimKey(saying), position })) return position;
  return integerOf(await getItem(table, claimKey(saying)), 'position');
}

async function nextOf(table: DynamoTable, { pk, record }: Saying): Promise<number> {
  const [last] = await between(table, { pk, log: logOf(record), after: 0, limit: 1, newest: true });
  return integerOf(last, 'position') + 1;
}

/** Whether it lies at its place now. False: another lies there, and only then the claim may move on; so it is never put twice. */
async function isPut(table: DynamoTable, saying: Saying, what: What & { position: number }): Promise<boolean> {
  if (await putNew(table, itemOf(saying, what))) return true;
  const there = await getItem(table, placeOf(saying, what.position));
  return there?.record === saying.record && there.said === saying.said;
}

const versionText = (version: number): string => `v${version}`;

/** The version an entry is of; undefined for a note. */
const versionOf = (item: Item): number | undefined => {
  const said = textOf(item, 'said');
  return said.startsWith('v') ? Number(said.slice(1)) : undefined;
};
