// Records and waits on DynamoDB, what only this adapter promises: leases of open records, damaged items, what an index holds, what expires.
import { expect, onTestFinished, test } from 'vitest';
import { queryItems } from '#shared/adapters/aws/dynamo-query.ts';
import { getItem, updateItem } from '#shared/adapters/aws/dynamo-table.ts';
import { dynamoTasks } from '#shared/adapters/aws/dynamo-tasks.ts';
import { dynamoMarks, dynamoWaits } from '#shared/adapters/aws/dynamo-waits.ts';
import { systemClock } from '#shared/adapters/local/system-clock.ts';
import type { TableName } from '#shared/contracts/storage.ts';
import { delegation, review, rootId, TENANT, task } from '../suites/samples.ts';
import { openRig } from './rig.ts';

const ID = rootId(1);
const HOUR = 3_600_000;

const open = async (name: TableName) => {
  const rig = await openRig([name]);
  onTestFinished(() => rig.close());
  const time = { now: 1_700_000_000_000 };
  return { rig, table: rig.table(name), time, clock: systemClock(() => time.now) };
};

test('open tasks and reviews that nobody saved for a while are found over all tenants, longest first, until they are over', async () => {
  const { table, time, clock } = await open('tasks');
  const tasks = dynamoTasks(table, clock);
  await tasks.save(task(ID), 0);
  await tasks.put(delegation(`${ID}_10`));
  await tasks.put(review(`${ID}-r1-1`));
  await tasks.put(task(rootId(2), { tenant: 'another' }));
  const found = async () => (await tasks.unattended()).map(({ tenant, id }) => `${tenant} ${id}`).sort();
  expect(await found()).toEqual([]);
  time.now += HOUR;
  expect(await found()).toEqual([`another ${rootId(2)}`, `local ${ID}`, `local ${ID}-r1-1`]);
  await tasks.save(task(ID, { version: 2 }), 1);
  await tasks.attend('another', rootId(2));
  expect(await found()).toEqual([`local ${ID}-r1-1`]);
  await tasks.save(review(`${ID}-r1-1`, { version: 2, state: 'told' }), 1);
  await tasks.attend(TENANT, `${ID}-r1-1`);
  await tasks.attend(TENANT, rootId(7));
  expect(await found()).toEqual([]);
  expect(await tasks.load(TENANT, rootId(7))).toBeUndefined();
  time.now += HOUR;
  expect(await found()).toEqual([`another ${rootId(2)}`, `local ${ID}`]);
  expect(await tasks.load('another', rootId(2))).toEqual(task(rootId(2), { tenant: 'another' }));
});

test('however many were left alone, one look is bounded, and those it attends make room for the others', async () => {
  const { table, time, clock } = await open('tasks');
  const tasks = dynamoTasks(table, clock);
  const ids = Array.from({ length: 200 }, (_, n) => `${ID}_10_${n}`);
  for (const id of ids) await tasks.put(task(id));
  time.now += HOUR;
  const seen: string[] = [];
  for (let found = await tasks.unattended(); found.length > 0; found = await tasks.unattended()) {
    expect(found.length).toBeLessThanOrEqual(128);
    for (const { tenant, id } of found) await tasks.attend(tenant, id);
    seen.push(...found.map(({ id }) => id));
  }
  expect(seen.sort()).toEqual(ids.sort());
});

test('an index holds keys and never the record, so that a save writes none of them; a save within the quarter leaves the leases alone', async () => {
  const { table, time, clock } = await open('tasks');
  const tasks = dynamoTasks(table, clock);
  await tasks.save(task(ID), 0);
  const [root] = await queryItems(table, { index: 'roots', where: '#roots_of = :of', values: { of: TENANT } });
  expect(Object.keys(root ?? {}).toSorted()).toEqual(['pk', 'roots_of', 'sk']);
  const lease = async () => (await getItem(table, { pk: `${TENANT}#${ID}`, sk: ID }))?.lease_until;
  const before = await lease();
  time.now += 60_000;
  await tasks.save(task(ID, { version: 2 }), 1);
  expect(await lease()).toBe(before);
});

test.each([
  ['torn', { body: '{"kind":"task"' }],
  ['packed and torn', { body: new Uint8Array([1, 2, 3]) }],
  ['exchanged', { body: JSON.stringify(task(rootId(2))) }],
  ['older than its head', { version: 7 }],
])('a record that is %s is a fault that names it and the table', async (_how, damage: Record<string, unknown>) => {
  const { table, clock } = await open('tasks');
  const tasks = dynamoTasks(table, clock);
  await tasks.save(task(ID), 0);
  const [[name, value] = ['', '']] = Object.entries(damage);
  await updateItem(table, { pk: `${TENANT}#${ID}`, sk: ID }, { set: `SET #${name} = :value`, values: { value } });
  await expect(tasks.load(TENANT, ID)).rejects.toMatchObject({
    code: 'HcaCorrupt',
    message: expect.stringMatching(`${ID}.*${table.name}`),
  });
});

test('a long record is packed, a short one can be read as it lies, and both come back as they were', async () => {
  const { table, clock } = await open('tasks');
  const tasks = dynamoTasks(table, clock);
  const record = task(ID);
  const long = { ...record, version: 2, spec: { ...record.spec, goal: 'make the linter pass, '.repeat(500) } };
  await tasks.save(long, 0);
  expect(await tasks.load(TENANT, ID)).toEqual(long);
  const body = (await getItem(table, { pk: `${TENANT}#${ID}`, sk: ID }))?.body;
  expect(body).toBeInstanceOf(Uint8Array);
  expect((body as Uint8Array).length).toBeLessThan(JSON.stringify(long).length / 3);
});

test('of many outcomes at once one wins, and all are told the same', async () => {
  const { table, clock } = await open('waits');
  const waits = dynamoWaits(table, clock);
  const key = { task: ID, on: `${ID}_10_1`, offer: 1 };
  const write = (n: number) => waits.outcome(TENANT, key, { word: `w${n}`, by: 'm', body: null });
  const told = await Promise.all(Array.from({ length: 20 }, (_, n) => write(n)));
  expect(new Set(told.map(({ outcome }) => outcome?.word)).size).toBe(1);
});

test('a wait expires a month after the longest task that may wait on it, counted from the last write; a mark stays', async () => {
  const { table, time, clock } = await open('waits');
  const waits = dynamoWaits(table, clock);
  const key = { task: ID, on: `${ID}_10_1`, offer: 1 };
  const expiry = async () => {
    const items = await queryItems(table, { where: '#pk = :pk', values: { pk: `${TENANT}#${ID}` } });
    return items.map(({ expires_at }) => expires_at);
  };
  const days = (n: number): number => time.now / 1000 + n * 86_400;
  await waits.open(TENANT, key);
  expect(await expiry()).toEqual([days(37)]);
  time.now += HOUR;
  await waits.outcome(TENANT, key, { word: 'completed', by: 'm', body: null });
  expect(await expiry()).toEqual([days(37)]);
  const first = await expiry();
  time.now += HOUR;
  await waits.outcome(TENANT, key, { word: 'late', by: 'm', body: null });
  expect(await expiry()).toEqual(first);
  await dynamoMarks(table).set(TENANT, ID, 'stop');
  expect(await expiry()).toContain(undefined);
});
