// The journal in DynamoDB: a root's entries lie in a few logs without gaps, each entry put at the end if nobody else was faster; so a cursor is one
// position a log, and nothing ever appears behind it (docs/decisions/0043).
import { HcaFault } from '#shared/contracts/errors.ts';
import { rootOf } from '#shared/contracts/ids.ts';
import { Entry } from '#shared/contracts/journal.ts';
import type { Journal } from '#shared/ports/journal.ts';
import type { Clock } from '#shared/ports/world.ts';
import { between, LOGS } from './dynamo-journal-log.ts';
import { lookBack, noteSayer, sayVersion } from './dynamo-journal-say.ts';
import { untilAlone } from './dynamo-race.ts';
import { bodyOf, fingerprint, integerOf, joined } from './dynamo-rows.ts';
import type { DynamoTable, Item } from './dynamo-table.ts';

const CURSOR = /^j([0-9a-z]{1,7}(?:\.[0-9a-z]{1,7}){3})$/;

/** Journal. The clock's ids order what the logs of a root hold among each other. */
export const dynamoJournal = (table: DynamoTable, clock: Clock): Journal => ({
  has: async (tenant, record, version) =>
    (await lookBack(table, { pk: joined(tenant, rootOf(record)), record, version })).isSaid,
  append: async (entry) => {
    const { tenant, root, record, version, note } = entry;
    const what = { entry, born: clock.ulid() };
    const pk = joined(tenant, root);
    const attempt =
      note === null
        ? () => sayVersion(table, { pk, record, version }, what)
        : noteSayer(table, { pk, record, said: `n${fingerprint(note)}` }, what);
    await untilAlone(`the journal of ${root}`, attempt);
  },
  read: async (tenant, root, { cursor, limit }) => {
    const from = positionsOf(cursor);
    const pk = joined(tenant, root);
    const logs = await Promise.all(LOGS.map((log) => between(table, { pk, log, after: from[log] ?? 0, limit })));
    const page = merged(logs, limit);
    const entries = page.map((item) => bodyOf(table, item, { schema: Entry, what: `journal entry ${item.sk}` }));
    return { entries, cursor: page.length === 0 ? cursor : cursorBehind(from, page) };
  },
});

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
