// ACP sessions in DynamoDB: sessions and grants here, connections, turns and requests in the files beside it (architecture 8).
import { AcpSession, AcpTurn } from '#shared/contracts/acp-session.ts';
import { EXPIRES_AT } from '#shared/contracts/storage.ts';
import type { Owner, Sessions } from '#shared/ports/sessions.ts';
import type { Clock } from '#shared/ports/world.ts';
import { removeItems } from './dynamo-batch.ts';
import { dynamoConnections } from './dynamo-connections.ts';
import { belowKey, queryItems } from './dynamo-query.ts';
import { dynamoRequests } from './dynamo-requests.ts';
import { bodyOf, expiryOf } from './dynamo-rows.ts';
import {
  ALL,
  callerPointer,
  folderKey,
  REQUEST,
  requestPointer,
  SESSION_DAYS,
  sessionsOf,
  taskPointer,
  turnPartition,
  turnsOf,
} from './dynamo-session-keys.ts';
import { type DynamoTable, getItem, type Item, type Key, putItem, removeItem } from './dynamo-table.ts';
import { dynamoTurns } from './dynamo-turns.ts';

/** Sorts behind every id. */
const BEHIND = '~';

/** Sessions. One that nobody touches any more expires, and so do its turns; a folder that was allowed stays so. */
export const dynamoSessions = (table: DynamoTable, clock: Clock): Sessions => ({
  ...dynamoConnections(table, clock),
  ...dynamoTurns(table, clock),
  ...dynamoRequests(table),
  keep: async (session) =>
    void (await putItem(table, {
      ...sessionKey(session, session.id),
      cwd: session.cwd,
      body: JSON.stringify(session),
      [EXPIRES_AT]: expiryOf(clock.now(), SESSION_DAYS),
    })),
  session: async (owner, id) => {
    const item = await getItem(table, sessionKey(owner, id));
    return item === undefined ? undefined : sessionOf(table, item);
  },
  list: async (owner, { cwd, before = BEHIND, limit }) => {
    const where = '#pk = :pk AND #sk < :before';
    const values = { pk: sessionsOf(owner), before, ...(cwd === undefined ? {} : { cwd }) };
    const only = cwd === undefined ? {} : { only: '#cwd = :cwd' };
    const items = await queryItems(table, { where, values, ...only, newest: true, limit });
    return items.map((item) => sessionOf(table, item));
  },
  remove: async (owner, id) => {
    if ((await getItem(table, sessionKey(owner, id))) === undefined) return;
    await removeTurns(table, owner.tenant, id);
    await removeItem(table, sessionKey(owner, id));
  },
  allowed: async (owner, folder) => (await getItem(table, folderKey(owner, folder))) !== undefined,
  allow: async (owner, folder) => void (await putItem(table, folderKey(owner, folder))),
  disallow: async (owner, folder) => void (await removeItem(table, folderKey(owner, folder))),
});

const sessionKey = (owner: Owner, id: string): Key => ({ pk: sessionsOf(owner), sk: id });

const sessionOf = (table: DynamoTable, item: Item): AcpSession =>
  bodyOf(table, item, { schema: AcpSession, what: `the session ${item.sk}` });

/** The list of a session's turns goes last, and the session after it: cut off anywhere, removing it again does the rest. */
async function removeTurns(table: DynamoTable, tenant: string, session: string): Promise<void> {
  const rows = await queryItems(table, { where: '#pk = :pk', values: { pk: turnsOf(tenant, session) } });
  const ids = rows.flatMap(({ sk }) => (sk.startsWith(ALL) ? [sk.slice(ALL.length)] : []));
  for (const id of ids) await removeTurn(table, tenant, id);
  await removeItems(table, rows);
}

/** What points to a turn first: from the turn it can be found again. */
async function removeTurn(table: DynamoTable, tenant: string, id: string): Promise<void> {
  const pk = turnPartition(tenant, id);
  const requests = await queryItems(table, belowKey(pk, REQUEST));
  const turn = await getItem(table, { pk, sk: 'turn' });
  const pointers = requests.map(({ sk }) => requestPointer(tenant, sk.slice(REQUEST.length)));
  const leading = turn === undefined ? [] : leadingTo(bodyOf(table, turn, { schema: AcpTurn, what: `the turn ${id}` }));
  await removeItems(table, [...pointers, ...leading]);
  await removeItems(table, [...requests, { pk, sk: 'turn' }]);
}

const leadingTo = ({ tenant, caller, task }: AcpTurn): Key[] => [
  callerPointer(tenant, caller),
  taskPointer(tenant, task),
];
