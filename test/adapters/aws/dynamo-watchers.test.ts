// Open WebSockets on DynamoDB: who is on one, what it watches, one mover at a time, and nothing left of one that went.
import { expect, onTestFinished, test } from 'vitest';
import { queryItems } from '#shared/adapters/aws/dynamo-query.ts';
import { dynamoWatchers } from '#shared/adapters/aws/dynamo-watchers.ts';
import { systemClock } from '#shared/adapters/local/system-clock.ts';
import { rootId, TENANT } from '../suites/samples.ts';
import { openRig } from './rig.ts';

const NOW = 1_700_000_000_000;
const PRINCIPAL = { tenant: TENANT, subject: 'ann', scopes: ['read' as const] };

const open = async () => {
  const rig = await openRig(['sessions']);
  onTestFinished(() => rig.close());
  const table = rig.table('sessions');
  return {
    table,
    watchers: dynamoWatchers(
      table,
      systemClock(() => NOW),
    ),
  };
};

test('a socket is found as it was noted, and expires', async () => {
  const { table, watchers } = await open();
  const socket = { id: 'abc=', principal: PRINCIPAL, expires_at: NOW + 5, opened_at: NOW };
  await watchers.open(socket);
  expect(await watchers.find('abc=')).toEqual(socket);
  expect(await watchers.find('other')).toBeUndefined();
  const [item] = await queryItems(table, { where: '#pk = :pk', values: { pk: '~socket#abc=' } });
  expect(Number(item?.expires_at)).toBe(NOW / 1000 + 86_400);
});

test('of ten that move a watch at once one does', async () => {
  const { watchers } = await open();
  const task = rootId(1);
  await watchers.watch({ tenant: TENANT, socket: 'a', task, cursor: 'here' });
  await watchers.watch({ tenant: TENANT, socket: 'b', task, cursor: '' });
  const [watch] = await watchers.watching(TENANT, task);
  if (watch === undefined) throw new Error('nothing watches');
  const moves = await Promise.all(
    Array.from({ length: 10 }, (_, n) => watchers.move({ ...watch, cursor: `c${n}`, claimed_until: n })),
  );
  const won = moves.filter((moved) => moved !== undefined);
  expect(won).toHaveLength(1);
  const now = await watchers.watching(TENANT, task);
  expect(now.find(({ socket }) => socket === 'a')).toEqual(won[0]);
  expect(now.find(({ socket }) => socket === 'b')).toMatchObject({ cursor: '', version: 1, claimed_until: 0 });
});

test('closing forgets a socket with all it watches, and nobody else', async () => {
  const { table, watchers } = await open();
  await watchers.open({ id: 'a', principal: PRINCIPAL, expires_at: null, opened_at: NOW });
  for (const n of [1, 2]) await watchers.watch({ tenant: TENANT, socket: 'a', task: rootId(n), cursor: '' });
  await watchers.watch({ tenant: TENANT, socket: 'b', task: rootId(1), cursor: '' });
  await watchers.close('a');
  await watchers.close('a');
  expect(await watchers.find('a')).toBeUndefined();
  expect((await watchers.watching(TENANT, rootId(1))).map(({ socket }) => socket)).toEqual(['b']);
  expect(await watchers.watching(TENANT, rootId(2))).toEqual([]);
  expect(await queryItems(table, { where: '#pk = :pk', values: { pk: '~socket#a' } })).toEqual([]);
});

test('a watch that was stopped cannot be moved', async () => {
  const { watchers } = await open();
  await watchers.watch({ tenant: TENANT, socket: 'a', task: rootId(1), cursor: '' });
  const [watch] = await watchers.watching(TENANT, rootId(1));
  if (watch === undefined) throw new Error('nothing watches');
  await watchers.stop(watch);
  expect(await watchers.move(watch)).toBeUndefined();
});

test('what is due is due until it is done, the earliest first; what is not stays', async () => {
  const { watchers } = await open();
  for (const at of [NOW + 9, NOW - 5, NOW]) await watchers.wakeAt({ tenant: TENANT, socket: `s${at}`, at });
  const due = await watchers.dueBy(NOW);
  expect(due.map(({ at }) => at)).toEqual([NOW - 5, NOW]);
  expect(await watchers.dueBy(NOW)).toEqual(due);
  for (const one of due) await watchers.woken(one);
  expect(await watchers.dueBy(NOW)).toEqual([]);
  expect((await watchers.dueBy(NOW + 10)).map(({ at }) => at)).toEqual([NOW + 9]);
});
