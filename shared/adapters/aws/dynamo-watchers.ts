// Open WebSockets in the table of sessions. A socket's partition begins with `~`: its id comes first, and only it says whose it is.
import { Principal } from '#shared/contracts/acp-host.ts';
import { EXPIRES_AT } from '#shared/contracts/storage.ts';
import type { Due, OpenSocket, Watch, Watchers } from '#shared/ports/watchers.ts';
import type { Clock } from '#shared/ports/world.ts';
import { removeItems } from './dynamo-batch.ts';
import { type Query, queryItems } from './dynamo-query.ts';
import { bodyOf, expiryOf, integerOf, joined, textOf } from './dynamo-rows.ts';
import { type DynamoTable, getItem, type Item, type Key, putItem, removeItem, updateItem } from './dynamo-table.ts';

/** API Gateway ends a socket after two hours; a day later nothing of it is of any use. */
const DAYS = 1;
const DUE = '~due';
/** Due sockets of one look. */
const MANY = 100;

/** Watchers. */
export const dynamoWatchers = (table: DynamoTable, clock: Clock): Watchers => {
  const expires = () => ({ [EXPIRES_AT]: expiryOf(clock.now(), DAYS) });
  return {
    open: async (socket) => {
      const { id, principal, expires_at, opened_at } = socket;
      const item = { ...socketKey(id), body: JSON.stringify(principal), ends: expires_at, opened_at, ...expires() };
      await putItem(table, item);
    },
    find: async (id) => {
      const item = await getItem(table, socketKey(id));
      return item === undefined ? undefined : socketOf(table, id, item);
    },
    close: async (id) => {
      const own = await queryItems(table, wholeOf(joined('~socket', id)));
      const watches = own.flatMap((item) => (item.sk === 'socket' ? [] : [{ pk: textOf(item, 'watched'), sk: id }]));
      await removeItems(table, [...watches, ...own]);
    },
    watch: async ({ tenant, socket, task, cursor }) => {
      const key = watchKey({ tenant, socket, task });
      await putItem(table, {
        pk: joined('~socket', socket),
        sk: joined('watch', key.pk),
        watched: key.pk,
        ...expires(),
      });
      await putItem(table, { ...key, cursor, version: 1, claimed_until: 0, ...expires() });
    },
    watching: async (tenant, task) => {
      const items = await queryItems(table, wholeOf(watchedBy(tenant, task)));
      return items.map((item) => watchOf({ tenant, task }, item));
    },
    move: async (watch) => {
      const { cursor, claimed_until, version } = watch;
      const changed = await updateItem(table, watchKey(watch), {
        set: 'SET #cursor = :cursor, #claimed_until = :until, #version = :next',
        if: '#version = :version',
        values: { cursor, until: claimed_until, version, next: version + 1 },
      });
      return changed === undefined ? undefined : { ...watch, version: version + 1 };
    },
    stop: async (watch) => void (await removeItem(table, watchKey(watch))),
    wakeAt: async (due) => void (await putItem(table, { ...dueKey(due), ...due, ...expires() })),
    dueBy: (now) => dueBy(table, now),
    woken: async (due) => void (await removeItem(table, dueKey(due))),
  };
};

const wholeOf = (pk: string): Query => ({ where: '#pk = :pk', values: { pk } });

const socketKey = (id: string): Key => ({ pk: joined('~socket', id), sk: 'socket' });

const watchedBy = (tenant: string, task: string): string => joined(tenant, 'watched', task);

const watchKey = ({ tenant, socket, task }: Pick<Watch, 'tenant' | 'socket' | 'task'>): Key => ({
  pk: watchedBy(tenant, task),
  sk: socket,
});

/** Milliseconds have thirteen digits until the year 2286, so they sort as text. */
const dueKey = ({ at, tenant, socket }: Due): Key => ({ pk: DUE, sk: joined(String(at), tenant, socket) });

const socketOf = (table: DynamoTable, id: string, item: Item): OpenSocket => ({
  id,
  principal: bodyOf(table, item, { schema: Principal, what: `the socket ${id}` }),
  expires_at: item.ends == null ? null : integerOf(item, 'ends'),
  opened_at: integerOf(item, 'opened_at'),
});

const watchOf = (of: Pick<Watch, 'tenant' | 'task'>, item: Item): Watch => ({
  ...of,
  socket: item.sk,
  cursor: textOf(item, 'cursor'),
  version: integerOf(item, 'version'),
  claimed_until: integerOf(item, 'claimed_until'),
});

async function dueBy(table: DynamoTable, now: number): Promise<Due[]> {
  const where = '#pk = :pk AND #sk < :now';
  const items = await queryItems(table, { where, values: { pk: DUE, now: joined(String(now), '~') }, limit: MANY });
  return items.map((item) => ({
    tenant: textOf(item, 'tenant'),
    socket: textOf(item, 'socket'),
    at: integerOf(item, 'at'),
  }));
}
