// Turns of ACP sessions in DynamoDB. The item `now` of a session names its open turn, and taking it is one conditional write: so there is at most
// one. A turn has begun when it holds `now` or has been saved; what was cut off before is nobody's turn.
import { AcpTurn } from '#shared/contracts/acp-session.ts';
import { EXPIRES_AT } from '#shared/contracts/storage.ts';
import type { Turns } from '#shared/ports/sessions.ts';
import type { Clock } from '#shared/ports/world.ts';
import { getItems, putItems, removeItems } from './dynamo-batch.ts';
import { belowKey, queryItems } from './dynamo-query.ts';
import { bodyOf, expiryOf, integerOf, textOf, textOrNull } from './dynamo-rows.ts';
import {
  ALL,
  callerPointer,
  NOW,
  POINTER_DAYS,
  SESSION_DAYS,
  taskPointer,
  turnKey,
  turnsOf,
  UNFINISHED,
} from './dynamo-session-keys.ts';
import { type DynamoTable, getItem, type Item, type Key, putItem, removeItem, updateItem } from './dynamo-table.ts';

type OnlyTurns = Omit<Turns, 'ask' | 'asked' | 'request' | 'sent' | 'answer'>;

/** How many turns are looked at in one go for the newest that submitted a task. */
const SOME = 10;

/** Turns. Each save renews how long one is kept. */
export const dynamoTurns = (table: DynamoTable, clock: Clock): OnlyTurns => {
  const store = { table, clock };
  const holder = (tenant: string, session: string): Promise<Item | undefined> =>
    getItem(table, { pk: turnsOf(tenant, session), sk: NOW });
  const pointed = async (tenant: string, pointer: Key): Promise<AcpTurn | undefined> => {
    const at = await getItem(table, pointer);
    const item = at === undefined ? undefined : await getItem(table, turnKey(tenant, textOf(at, 'turn')));
    if (item === undefined) return undefined;
    const turn = turnOf(table, item);
    if (item.begun === true) return turn;
    return (await holder(tenant, turn.session))?.turn === turn.id ? turn : undefined;
  };
  return {
    begin: async (turn) => begin(store, turn, await holder(turn.tenant, turn.session)),
    saveTurn: (turn) => save(store, turn),
    cancelTurn: async (tenant, turn, cancel) =>
      void (await updateItem(table, turnKey(tenant, turn), {
        set: 'SET #cancel = :cancel',
        if: 'attribute_exists(#pk) AND attribute_not_exists(#cancel)',
        values: { cancel },
      })),
    unfinished: async (tenant, session) => {
      const rows = await queryItems(table, belowKey(turnsOf(tenant, session), NOW));
      const now = rows.find(({ sk }) => sk === NOW)?.turn;
      const ids = rows.flatMap(({ sk }) => (sk === NOW ? [] : [sk.slice(UNFINISHED.length)]));
      const items = await turnItems(table, tenant, ids);
      const begun = items.filter((item) => item.begun === true || turnKey(tenant, String(now)).pk === item.pk);
      return begun.map((item) => turnOf(table, item)).filter(({ stage }) => stage !== 'over');
    },
    turnOf: (tenant, caller) => pointed(tenant, callerPointer(tenant, caller)),
    turnOfTask: (tenant, task) => pointed(tenant, taskPointer(tenant, task)),
    lastSubmitted: (tenant, session) => lastSubmitted(table, tenant, session),
  };
};

/** What the session knows of the turn, the turn, then `now`: before that it has not begun, whatever was written. */
async function begin({ table, clock }: Store, turn: AcpTurn, now: Item | undefined): Promise<boolean> {
  const { tenant, session, id } = turn;
  if (now !== undefined && (await isOpen(table, tenant, textOf(now, 'turn')))) return false;
  const until = { [EXPIRES_AT]: expiryOf(clock.now(), POINTER_DAYS) };
  const rows = rowsOf(turn).map((row) => ({ ...row, ...until }));
  await putItems(table, rows);
  const item = { ...turnKey(tenant, id), version: turn.version, body: JSON.stringify(turn), ...kept(clock) };
  if (!(await putItem(table, item, { if: 'attribute_not_exists(#begun)' }))) return false;
  const free = now === undefined ? { if: 'attribute_not_exists(#pk)' } : unchanged(now);
  if (!(await putItem(table, { pk: turnsOf(tenant, session), sk: NOW, turn: id, ...until }, free))) {
    await removeItems(table, [turnKey(tenant, id), ...rows]);
    return false;
  }
  // Only now: the same frame may have come twice, and its pointer is the winner's.
  return putItem(table, { ...callerPointer(tenant, turn.caller), turn: id, ...until });
}

interface Store {
  table: DynamoTable;
  clock: Clock;
}

const kept = (clock: Clock) => ({ [EXPIRES_AT]: expiryOf(clock.now(), SESSION_DAYS) });

const unchanged = (now: Item) => ({ if: '#turn = :turn', values: { turn: now.turn } });

/** Whoever holds `now` wrote its turn before, so a turn that is not there was deleted. */
async function isOpen(table: DynamoTable, tenant: string, id: string): Promise<boolean> {
  const item = await getItem(table, turnKey(tenant, id));
  return item !== undefined && turnOf(table, item).open;
}

const rowsOf = ({ tenant, session, id, task }: AcpTurn): Item[] => [
  { pk: turnsOf(tenant, session), sk: ALL + id },
  { pk: turnsOf(tenant, session), sk: UNFINISHED + id },
  { ...taskPointer(tenant, task), turn: id },
];

/** What follows the save only tidies up: `begin` and `unfinished` look at the turn itself. */
async function save({ table, clock }: Store, turn: AcpTurn): Promise<boolean> {
  const { tenant, session, id, version } = turn;
  const next = { ...turn, version: version + 1 };
  const saved = await updateItem(table, turnKey(tenant, id), {
    set: `SET #version = :next, #body = :body, #begun = :yes, #${EXPIRES_AT} = :${EXPIRES_AT}`,
    if: '#version = :version',
    values: { version, next: next.version, body: JSON.stringify(next), yes: true, ...kept(clock) },
  });
  if (saved === undefined) return false;
  const pk = turnsOf(tenant, session);
  if (!turn.open) await removeItem(table, { pk, sk: NOW }, { if: '#turn = :id', values: { id } });
  if (turn.stage === 'over') await removeItem(table, { pk, sk: UNFINISHED + id });
  return true;
}

async function lastSubmitted(table: DynamoTable, tenant: string, session: string): Promise<AcpTurn | undefined> {
  let before = `${ALL}~`;
  for (;;) {
    const values = { pk: turnsOf(tenant, session), all: ALL, before };
    const where = '#pk = :pk AND #sk BETWEEN :all AND :before';
    const found = await queryItems(table, { where, values, newest: true, limit: SOME });
    const rows = found.filter(({ sk }) => sk !== before);
    const ids = rows.map(({ sk }) => sk.slice(ALL.length));
    const turns = (await turnItems(table, tenant, ids)).map((item) => turnOf(table, item));
    const last = turns.filter(({ submitted }) => submitted).at(-1);
    if (last !== undefined || found.length < SOME) return last;
    before = rows.at(-1)?.sk ?? '';
  }
}

/** Oldest first. */
async function turnItems(table: DynamoTable, tenant: string, ids: readonly string[]): Promise<Item[]> {
  const items = await getItems(
    table,
    ids.map((id) => turnKey(tenant, id)),
  );
  return items.sort((a, b) => (a.pk < b.pk ? -1 : 1));
}

/** The cancel mark lies beside the body, because it is set by another than the one who saves the turn. */
const turnOf = (table: DynamoTable, item: Item): AcpTurn => ({
  ...bodyOf(table, item, { schema: AcpTurn, what: `the turn ${item.pk}` }),
  version: integerOf(item, 'version'),
  cancel: AcpTurn.shape.cancel.parse(textOrNull(item, 'cancel')),
});
