// Holons and harness packages on DynamoDB: a holarchy is loaded whole or not at all, and packages are checked on the way in and out.
import { expect, onTestFinished, test } from 'vitest';
import { dynamoHolons } from '#shared/adapters/aws/dynamo-holons.ts';
import { dynamoProfiles } from '#shared/adapters/aws/dynamo-profiles.ts';
import { putItem } from '#shared/adapters/aws/dynamo-table.ts';
import { filesProfiles } from '#shared/adapters/local/files-profiles.ts';
import { HolarchyFile } from '#shared/contracts/holon.ts';
import type { TableName } from '#shared/contracts/storage.ts';
import { TENANT } from '../suites/samples.ts';
import { crashAt, meanwhile, restart } from './crash.ts';
import { openRig } from './rig.ts';

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

test('packages come back as they were stored; reading is remembered for a minute', async () => {
  const { rig, table } = await open('profiles');
  const files = filesProfiles('harnesses');
  const clock = { time: 0, now: () => clock.time, ulid: () => '' };
  const profiles = dynamoProfiles(table, clock);
  const empty = await profiles.names();
  expect(empty).toEqual([]);
  const all = await files.all();
  for (const harness of all) await profiles.put(harness);
  expect(await profiles.all()).toEqual(all);
  expect(await profiles.names()).toEqual(await files.names());
  expect((await profiles.load('code-fix')).families.length).toBeGreaterThan(0);
  await expect(profiles.load('nothing')).rejects.toMatchObject({
    code: 'HcaNotFound',
    remedy: expect.stringContaining('code-fix'),
  });
  rig.sent.length = 0;
  await profiles.all();
  clock.time = 59_000;
  await profiles.all();
  expect(rig.sent).toEqual([]);
  clock.time = 61_000;
  await profiles.all();
  expect(rig.sent).toEqual(['Query']);
});

test('a package that does not fit its contract is refused on the way in and named on the way out; a fault is not remembered', async () => {
  const { rig, table } = await open('profiles');
  const clock = { now: () => 0, ulid: () => '' };
  const profiles = dynamoProfiles(table, clock);
  const [harness] = await filesProfiles('harnesses').all();
  if (harness === undefined) throw new Error('there is no package');
  const broken = { ...harness, version: -1 };
  await expect(profiles.put(broken)).rejects.toMatchObject({ code: 'HcaBadInput', field: 'version' });
  rig.around = () => Promise.reject(new Error('away'));
  await expect(profiles.names()).rejects.toThrow('away');
  restart(rig);
  expect(await profiles.names()).toEqual([]);
  await putItem(table, { pk: '~house', sk: 'odd', body: JSON.stringify(broken) });
  await putItem(table, { pk: '~house', sk: 'torn', body: '{' });
  const later = dynamoProfiles(table, clock);
  await expect(later.load('odd')).rejects.toMatchObject({
    code: 'HcaBadInput',
    message: expect.stringContaining('odd'),
  });
  await expect(later.load('torn')).rejects.toMatchObject({
    code: 'HcaCorrupt',
    message: expect.stringContaining('torn'),
  });
});
