// Saying something in a root's journal once: a version of a record, or a note (docs/decisions/0043).
import { between, itemOf, LAST, logOf, type Saying, type What } from './dynamo-journal-log.ts';
import { integerOf, joined, textOf } from './dynamo-rows.ts';
import { type DynamoTable, getItem, type Item, type Key, putNew } from './dynamo-table.ts';

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

/**
 * A note, of which nothing in its log tells whether it was said: it claims the place from which on it may lie, once and for all. Each attempt looks at
 * everything from there to the end and puts the note behind it; so whoever repeats it has looked at every place where it may be.
 */
export const noteSayer = (table: DynamoTable, saying: Saying, what: What): (() => Promise<true | undefined>) => {
  let claimed: Claim | undefined;
  return async () => {
    const isFirst = claimed === undefined;
    claimed ??= await claim(table, saying);
    const free = isFirst && claimed.isNew ? claimed.from : await placeBehind(table, saying, claimed.from);
    if (free === null) return true;
    return (await putNew(table, itemOf(saying, { ...what, position: free }))) || undefined;
  };
};

/** `isNew`: nobody claimed it before, so it lies nowhere yet. */
interface Claim {
  from: number;
  isNew: boolean;
}

const claimKey = ({ pk, record, said }: Saying): Key => ({ pk, sk: joined('said', record, said) });

/** The first free place, before the note takes one. A claim is never changed. */
async function claim(table: DynamoTable, saying: Saying): Promise<Claim> {
  const from = await nextOf(table, saying);
  if (await putNew(table, { ...claimKey(saying), position: from })) return { from, isNew: true };
  return { from: integerOf(await getItem(table, claimKey(saying)), 'position'), isNew: false };
}

async function nextOf(table: DynamoTable, { pk, record }: Saying): Promise<number> {
  const [last] = await between(table, { pk, log: logOf(record), after: 0, limit: 1, newest: true });
  return integerOf(last, 'position') + 1;
}

/** Entries of a page when looking on from a claim: mostly only the few that came meanwhile. */
const PAGE = 20;

/** The first free place from the claimed one on; null when the note lies before it. */
async function placeBehind(table: DynamoTable, saying: Saying, from: number): Promise<number | null> {
  const { pk, record, said } = saying;
  for (let after = from - 1; ; ) {
    const page = await between(table, { pk, log: logOf(record), after, limit: PAGE });
    if (page.some((item) => item.record === record && item.said === said)) return null;
    after = Math.max(after, integerOf(page.at(-1), 'position'));
    if (page.length < PAGE) return after + 1;
  }
}

const versionText = (version: number): string => `v${version}`;

/** The version an entry is of; undefined for a note. */
const versionOf = (item: Item): number | undefined => {
  const said = textOf(item, 'said');
  return said.startsWith('v') ? Number(said.slice(1)) : undefined;
};
