// Connections of ACP clients in DynamoDB, how far each has read the sessions it follows, and who follows a session.
import { AcpConnection, Attachment } from '#shared/contracts/acp-session.ts';
import { HcaFault } from '#shared/contracts/errors.ts';
import { EXPIRES_AT } from '#shared/contracts/storage.ts';
import type { Connections } from '#shared/ports/sessions.ts';
import type { Clock } from '#shared/ports/world.ts';
import { getItems, removeItems } from './dynamo-batch.ts';
import { belowKey, queryItems } from './dynamo-query.ts';
import { bodyOf, expiryOf, integerOf } from './dynamo-rows.ts';
import { connectionKey, connectionPartition, FOLLOWS, followersOf, SESSION_DAYS } from './dynamo-session-keys.ts';
import { type DynamoTable, getItem, type Item, type Key, putItem, removeItem, updateItem } from './dynamo-table.ts';

/** Connections. They and what they follow expire: a client that vanishes tells nobody. */
export const dynamoConnections = (table: DynamoTable, clock: Clock): Connections => {
  const expiry = () => expiryOf(clock.now(), SESSION_DAYS);
  const followed = (tenant: string, connection: string): Promise<Item[]> =>
    queryItems(table, belowKey(connectionPartition(tenant, connection), FOLLOWS));
  return {
    connect: async (connection) => {
      const { tenant, id, subject } = connection;
      const body = JSON.stringify(connection);
      await putItem(table, { ...connectionKey(tenant, id), subject, body, [EXPIRES_AT]: expiry() });
    },
    connection: async ({ tenant, subject }, id) => {
      const item = await getItem(table, connectionKey(tenant, id));
      return item?.subject === subject && item !== undefined ? connectionOf(table, item) : undefined;
    },
    disconnect: async (tenant, id) => {
      const items = await followed(tenant, id);
      const followers = items.map(({ sk }) => followerKey(tenant, id, sk.slice(FOLLOWS.length)));
      await removeItems(table, [...items, ...followers, connectionKey(tenant, id)]);
    },
    attach: async (attachment) => {
      const { tenant, connection, session } = attachment;
      await putItem(table, { ...followerKey(tenant, connection, session), [EXPIRES_AT]: expiry() });
      await updateItem(table, attachmentKey(attachment), {
        set: `SET #version = if_not_exists(#version, :none) + :one, #body = :body, #${EXPIRES_AT} = :until`,
        values: { ...bodyAt(attachment), none: 0, one: 1, until: expiry() },
      });
    },
    attachments: async (tenant, connection) =>
      (await followed(tenant, connection)).map((item) => attachmentOf(table, item)),
    move: async (attachment) => {
      if (!(await isMoved(table, attachment, expiry()))) throw lostRace(attachment);
    },
    detach: async (tenant, connection, session) => {
      await removeItem(table, attachmentKey({ tenant, connection, session }));
      await removeItem(table, followerKey(tenant, connection, session));
    },
    followers: async (tenant, session) => {
      const rows = await queryItems(table, { where: '#pk = :pk', values: { pk: followersOf(tenant, session) } });
      const items = await getItems(
        table,
        rows.map(({ sk }) => connectionKey(tenant, sk)),
      );
      return items.map((item) => connectionOf(table, item)).sort((a, b) => (a.id < b.id ? -1 : 1));
    },
  };
};

type Following = Pick<Attachment, 'tenant' | 'connection' | 'session'>;

const attachmentKey = ({ tenant, connection, session }: Following): Key => ({
  pk: connectionPartition(tenant, connection),
  sk: FOLLOWS + session,
});

/** Written before and deleted after what it points to: one too many only wakes somebody for nothing. */
const followerKey = (tenant: string, connection: string, session: string): Key => ({
  pk: followersOf(tenant, session),
  sk: connection,
});

const isMoved = async (table: DynamoTable, attachment: Attachment, until: number): Promise<boolean> => {
  const { version } = attachment;
  const moved = await updateItem(table, attachmentKey(attachment), {
    set: `SET #version = :next, #body = :body, #${EXPIRES_AT} = :until`,
    if: '#version = :version',
    values: { body: JSON.stringify(attachment), version, next: version + 1, until },
  });
  return moved !== undefined;
};

const bodyAt = (attachment: Omit<Attachment, 'version' | 'claimed_until'>) => ({
  body: JSON.stringify({ ...attachment, version: 1, claimed_until: 0 }),
});

const connectionOf = (table: DynamoTable, item: Item): AcpConnection =>
  bodyOf(table, item, { schema: AcpConnection, what: `the connection of ${item.pk}` });

const attachmentOf = (table: DynamoTable, item: Item): Attachment => ({
  ...bodyOf(table, item, { schema: Attachment, what: `what ${item.pk} follows` }),
  version: integerOf(item, 'version'),
});

const lostRace = ({ session, connection }: Following): HcaFault =>
  new HcaFault('HcaConflict', { message: `another process reads ${session} for ${connection}` });
