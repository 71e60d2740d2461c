// The logs of a root's journal: where an entry lies, and what lies between two positions (docs/decisions/0043).
import type { Entry } from '#shared/contracts/journal.ts';
import { queryItems } from './dynamo-query.ts';
import { joined, packed, sortable } from './dynamo-rows.ts';
import type { DynamoTable, Item, Key } from './dynamo-table.ts';

/**
 * Logs of a root. A record always writes to the same one, so its own order is exact. 40 children that append at once are ten a log, and the last of
 * them comes through at its tenth try; a reader asks four questions.
 */
export const LOGS = [0, 1, 2, 3] as const;
/** Behind every position: a key has ten digits. */
export const LAST = 9_999_999_999;

/** What is said: the version of a record, or a note. It is said once, wherever in its log it comes to lie. */
export interface Saying {
  pk: string;
  record: string;
  said: string;
}

/** An entry, and the id whose time it is ordered by. */
export interface What {
  entry: Entry;
  born: string;
}

/** The one log that a record writes to. */
export const logOf = (record: string): number =>
  [...record].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 65_521, 7) % LOGS.length;

/** Where a position of its log is. */
const placeOf = ({ pk, record }: Saying, position: number): Key => ({
  pk,
  sk: joined('log', String(logOf(record)), sortable(position)),
});

/** A saying as it lies at a position. */
export const itemOf = (saying: Saying, { position, entry, born }: What & { position: number }): Item => {
  const { record, said } = saying;
  return { ...placeOf(saying, position), record, said, position, born, body: packed(JSON.stringify(entry)) };
};

/** Part of a log: behind position `after`, before position `before`, the oldest or `newest` so many. */
export interface Stretch {
  pk: string;
  log: number;
  after: number;
  before?: number;
  limit: number;
  newest?: boolean;
}

/** What lies in a log behind one position and before another. */
export const between = (
  table: DynamoTable,
  { pk, log, after, before = LAST, limit, newest = false }: Stretch,
): Promise<Item[]> => {
  const [first, last] = [after + 1, before - 1].map((position) => joined('log', String(log), sortable(position)));
  const where = '#pk = :pk AND #sk BETWEEN :first AND :last';
  return before <= after + 1
    ? Promise.resolve([])
    : queryItems(table, { where, values: { pk, first, last }, limit, newest });
};
