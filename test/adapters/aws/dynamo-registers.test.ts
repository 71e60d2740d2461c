// Holons and harness packages on DynamoDB: a holarchy is loaded whole or not at all, and packages are checked on the way in and out.
import { expect, onTestFinished, test } from 'vitest';
import { dynamoHolons } from '#shared/adapters/aws/dynamo-holons.ts';
import { dynamoProfiles } from '#shared/adapters/aws/dynamo-profiles.ts';
import { putItem } from '#shared/adapters/aws/dynamo-table.ts';
import { HolarchyFile } from '#shared/contracts/holon.ts';
import type { TableName } from '#shared/contracts/storage.ts';
import { certification } from '#test/support/code-fix.ts';
import { profilesSuite } from '../suites/profiles.ts';
import { TENANT } from '../suites/samples.ts';
import { crashAt, meanwhile, restart } from './crash.ts';
import { openRig } from './rig.ts';

/** A clock that stands still. */
const still = { now: () => 0, ulid: () => '' };

const open = async (name: TableName) => {
  const rig = await openRig([name]);
  onTestFinished(() => rig.close());
  return { rig, table: rig.table(name) };
};

const holarchy = (title: string, size: number): HolarchyFile =>
  HolarchyFile.parse({
    version: 1,
    policy: { tools: { allow: [title] } },
    holons: Array.from({ length: size }, (_, n) => ({ id: `h${n}`, role: 'leaf', parent: 'root', title })),
  });

const seen = async (holons: ReturnType<typeof dynamoHolons>) => {
  const all = await holons.all(TENANT);
  const titles = new Set(all.map(({ title }) => title));
  return { size: all.length, titles: [...titles], policy: (await holons.policy(TENANT)).tools.allow };
};

test.each([1, 2, 3])('a load that crashes before write %i changes nothing, and the next one is whole', async (n) => {
  const { rig, table } = await open('holons');
  const holons = dynamoHolons(table);
  await holons.load(TENANT, holarchy('old', 30));
  crashAt(rig, n);
  await expect(holons.load(TENANT, holarchy('lost', 40))).rejects.toThrow('crashed');
  restart(rig);
  expect(await seen(holons)).toEqual({ size: 30, titles: ['old'], policy: ['old'] });
  await holons.load(TENANT, holarchy('new', 35));
  expect(await seen(holons)).toEqual({ size: 35, titles: ['new'], policy: ['new'] });
});

test('of two loads at once one is told that it lost, and what holds is one of them, whole', async () => {
  const { rig, table } = await open('holons');
  const holons = dynamoHolons(table);
  await holons.load(TENANT, holarchy('old', 3));
  meanwhile(rig, 2, () => dynamoHolons(table).load(TENANT, holarchy('faster', 4)));
  await expect(holons.load(TENANT, holarchy('slower', 5))).rejects.toMatchObject({ code: 'HcaConflict' });
  expect(await seen(holons)).toEqual({ size: 4, titles: ['faster'], policy: ['faster'] });
});

test('a card that is put while a holarchy is loaded is in the one that holds then', async () => {
  const { rig, table } = await open('holons');
  const holons = dynamoHolons(table);
  await holons.load(TENANT, holarchy('old', 3));
  const [card] = holarchy('added', 1).holons;
  meanwhile(rig, 1, () => dynamoHolons(table).load(TENANT, holarchy('new', 4)));
  await holons.put(TENANT, { ...card!, id: 'added' });
  expect(await seen(holons)).toEqual({ size: 5, titles: ['added', 'new'], policy: ['new'] });
});

test('who read which holarchy holds just before a load still reads that one whole', async () => {
  const { rig, table } = await open('holons');
  const holons = dynamoHolons(table);
  await holons.load(TENANT, holarchy('old', 3));
  rig.around = async (command, send) => {
    if (command === 'Query') {
      restart(rig);
      await dynamoHolons(table).load(TENANT, holarchy('new', 4));
    }
    return send();
  };
  expect(await holons.all(TENANT)).toHaveLength(3);
  expect(await holons.all(TENANT)).toHaveLength(4);
});

test('before a holarchy was applied the first one holds; a card that is added stores it whole', async () => {
  const { table } = await open('holons');
  const first = holarchy('first', 3);
  const holons = dynamoHolons(table, async () => first);
  expect(await holons.all(TENANT)).toEqual(first.holons);
  expect(await holons.get(TENANT, 'h1')).toEqual(first.holons[1]);
  expect(await holons.get(TENANT, 'h9')).toBeUndefined();
  expect((await holons.policy(TENANT)).tools.allow).toEqual(['first']);
  await holons.put(TENANT, { ...first.holons[1]!, title: 'changed' });
  const without = dynamoHolons(table);
  expect((await without.all(TENANT)).map(({ id, title }) => `${id} ${title}`)).toEqual([
    'h0 first',
    'h1 changed',
    'h2 first',
  ]);
  expect((await without.policy(TENANT)).tools.allow).toEqual(['first']);
  await holons.load(TENANT, holarchy('own', 1));
  expect(await seen(holons)).toEqual({ size: 1, titles: ['own'], policy: ['own'] });
  expect(await seen(dynamoHolons(table, async () => first))).toEqual({ size: 1, titles: ['own'], policy: ['own'] });
});

profilesSuite('DynamoDB', async (shipped) => {
  const { table, close } = await openRig(['profiles']);
  const again = async () => ({ profiles: dynamoProfiles(table('profiles'), still, async () => shipped) });
  return { ...(await again()), again, close };
});

test('what was put is remembered for a minute; who looks at what is stored sees it at once', async () => {
  const { rig, table } = await open('profiles');
  const clock = { ...still, time: 0, now: () => clock.time };
  const profiles = dynamoProfiles(table, clock);
  await profiles.all();
  await dynamoProfiles(table, clock).put(certification);
  rig.sent.length = 0;
  clock.time = 59_000;
  expect(await profiles.names()).toEqual([]);
  expect(rig.sent).toEqual([]);
  clock.time = 61_000;
  expect(await profiles.names()).toEqual(['certification']);
  expect(rig.sent).toEqual(['Query']);
  await dynamoProfiles(table, clock).remove('certification');
  expect(await profiles.own()).toEqual([]);
});

test('an item that is damaged is named, and can be removed; a fault is not remembered', async () => {
  const { rig, table } = await open('profiles');
  const profiles = dynamoProfiles(table, still);
  rig.around = () => Promise.reject(new Error('away'));
  await expect(profiles.names()).rejects.toThrow('away');
  restart(rig);
  expect(await profiles.names()).toEqual([]);
  await putItem(table, {
    pk: '~house',
    sk: 'odd',
    body: JSON.stringify({ ...certification, name: 'odd', version: -1 }),
  });
  await expect(profiles.own()).rejects.toMatchObject({ code: 'HcaBadInput', message: expect.stringContaining('odd') });
  await putItem(table, { pk: '~house', sk: 'odd', body: '{' });
  await expect(profiles.own()).rejects.toMatchObject({ code: 'HcaCorrupt', message: expect.stringContaining('odd') });
  expect(await profiles.remove('odd')).toBe(true);
  expect(await profiles.own()).toEqual([]);
});
