// The journal in DynamoDB: a root's entries lie in a few logs without gaps, each entry put at the end if nobody else was faster; so a cursor is one
// position a log, and nothing ever appears behind it (docs/decisions/0043).
import { HcaFault } from '#shared/contracts/errors.ts';
import { rootOf } from '#shared/contracts/ids.ts';
import { Entry } from '#shared/contracts/journal.ts';
import type { Journal } from '#shared/ports/journal.ts';
import type { Clock } from '#shared/ports/world.ts';
import { belowKey, queryItems } from './dynamo-query.ts';
import { untilAlone } from './dynamo-race.ts';
import { bodyOf, fingerprint, integerOf, joined, packed, sortable } from './dynamo-rows.ts';
import { type DynamoTable, getItem, type Item, type Key, putNew, updateItem } from './dynamo-table.ts';

/**
 * Logs of a root. A record always writes to the same one, so its own order is exact. 40 children that append at once are ten a log, and the last of
 * them comes through at its tenth try; a reader asks four questions.
 */
const LOGS = [0, 1, 2, 3] as const;
const CURSOR = /^j([0-9a-z]{1,7}(?:\.[0-9a-z]{1,7}){3})$/;

/** Journal. The clock's ids order what the logs of a root hold among each other. */
export const dynamoJournal = (table: DynamoTable, clock: Clock): Journal => ({
  has: async (tenant, record, version) => {
    const saying = { pk: joined(tenant, rootOf(record)), record, said: versionText(version) };
    const position = await claimOf(table, saying);
    return position > 0 && isSaid(saying, await getItem(table, placeOf(saying, position)));
  },
  append: async (entry) => {
    const { tenant, root, record, version, note } = entry;
    const said = note === null ? versionText(version) : `n${fingerprint(note)}`;
    const saying = { pk: joined(tenant, root), record, said };
    await untilAlone(`the journal of ${root}`, () => say(table, saying, { entry, born: clock.ulid() }));
  },
  read: async (tenant, root, { cursor, limit }) => {
    const from = positionsOf(cursor);
    const pk = joined(tenant, root);
    const logs = await Promise.all(LOGS.map((log) => behind(table, { pk, log, from: from[log] ?? 0, limit })));
    const page = merged(logs, limit);
    const entries = page.map((item) => bodyOf(table, item, { schema: Entry, what: `journal entry ${item.sk}` }));
    return { entries, cursor: page.length === 0 ? cursor : cursorBehind(from, page) };
  },
});

/** What is said: the version of a record, or a note. It is said once, wherever in its log it comes to lie. */
interface Saying {
  pk: string;
  record: string;
  said: string;
}

const versionText = (version: number): string => `v${version}`;

const logOf = (record: string): number =>
  [...record].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 65_521, 7) % LOGS.length;

const placeOf = ({ pk, record }: Saying, position: number): Key => ({
  pk,
  sk: joined('log', String(logOf(record)), sortable(position)),
});

const claimKey = ({ pk, record, said }: Saying): Key => ({ pk, sk: joined('said', record, said) });

const isSaid = ({ record, said }: Saying, item: Item | undefined): boolean =>
  item?.record === record && item.said === said;

/** One attempt: true when it is said, undefined when another was faster. */
async function say(
  table: DynamoTable,
  saying: Saying,
  what: { entry: Entry; born: string },
): Promise<true | undefined> {
  const position = await claim(table, saying);
  if (await isPut(table, saying, { ...what, position })) return true;
  const moved = { next: await endOf(table, saying), taken: position };
  await updateItem(table, claimKey(saying), {
    set: 'SET #position = :next',
    if: '#position = :taken',
    values: moved,
  });
  return undefined;
}

/** Where this saying lies, or is about to; 0 when nobody has begun to say it. A claim is never taken away. */
const claimOf = async (table: DynamoTable, saying: Saying): Promise<number> =>
  integerOf(await getItem(table, claimKey(saying)), 'position');

/** Notes the first free place before it is taken, so that a repeat after a crash goes on there. */
async function claim(table: DynamoTable, saying: Saying): Promise<number> {
  const position = await endOf(table, saying);
  return (await putNew(table, { ...claimKey(saying), position })) ? position : claimOf(table, saying);
}

async function endOf(table: DynamoTable, saying: Saying): Promise<number> {
  const log = joined('log', String(logOf(saying.record)), '');
  const [last] = await queryItems(table, { ...belowKey(saying.pk, log), newest: true, limit: 1 });
  return integerOf(last, 'position') + 1;
}

/** Whether it lies at its place now. False: another lies there, and only then the claim may move on; so it is never put twice. */
async function isPut(
  table: DynamoTable,
  saying: Saying,
  { position, entry, born }: { position: number; entry: Entry; born: string },
): Promise<boolean> {
  const place = placeOf(saying, position);
  const { record, said } = saying;
  if (await putNew(table, { ...place, record, said, position, born, body: packed(JSON.stringify(entry)) })) return true;
  return isSaid(saying, await getItem(table, place));
}

const behind = (
  table: DynamoTable,
  { pk, log, from, limit }: { pk: string; log: number; from: number; limit: number },
): Promise<Item[]> => {
  const first = joined('log', String(log), sortable(from + 1));
  const last = joined('log', String(log), '~');
  return queryItems(table, { where: '#pk = :pk AND #sk BETWEEN :first AND :last', values: { pk, first, last }, limit });
};

/** Always the oldest of what the logs have next: in one log the order stays that of its positions, whatever two clocks say. */
function merged(logs: readonly Item[][], limit: number): Item[] {
  const left = logs.map((log) => [...log].reverse());
  const page: Item[] = [];
  while (page.length < limit) {
    const next = left
      .filter((log) => log.length > 0)
      .sort((a, b) => (bornOf(a) < bornOf(b) ? -1 : 1))[0]
      ?.pop();
    if (next === undefined) break;
    page.push(next);
  }
  return page;
}

const bornOf = (log: readonly Item[]): string => String(log.at(-1)?.born);

function cursorBehind(from: readonly number[], page: readonly Item[]): string {
  const positions = [...from];
  for (const item of page) positions[Number(item.sk.split('#')[1])] = integerOf(item, 'position');
  return `j${positions.map((position) => position.toString(36)).join('.')}`;
}

function positionsOf(cursor: string): number[] {
  if (cursor === '') return LOGS.map(() => 0);
  const digits = CURSOR.exec(cursor)?.[1];
  if (digits !== undefined) return digits.split('.').map((position) => Number.parseInt(position, 36));
  throw new HcaFault('HcaBadInput', {
    message: 'this is no cursor of the journal',
    field: 'cursor',
    remedy: 'give the cursor of an earlier page, or none to begin at the beginning',
  });
}
