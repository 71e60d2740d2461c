// The journal on DynamoDB: many writers at once and crashes between its writes lose nothing, double nothing, and put nothing behind a cursor.
import { expect, onTestFinished, test } from 'vitest';
import { dynamoJournal } from '#shared/adapters/aws/dynamo-journal.ts';
import { systemClock } from '#shared/adapters/local/system-clock.ts';
import type { Entry } from '#shared/contracts/journal.ts';
import type { Journal } from '#shared/ports/journal.ts';
import { entry, rootId, TENANT } from '../suites/samples.ts';
import { crashAt, meanwhile, restart } from './crash.ts';
import { openRig } from './rig.ts';

const ROOT = rootId(1);

const open = async () => {
  const rig = await openRig(['journal']);
  onTestFinished(() => rig.close());
  const table = rig.table('journal');
  return { rig, table, journal: dynamoJournal(table, systemClock()) };
};

const readAll = async (journal: Journal, limit: number): Promise<Entry[]> => {
  const entries: Entry[] = [];
  for (let cursor = ''; ; ) {
    const page = await journal.read(TENANT, ROOT, { cursor, limit });
    if (page.entries.length === 0) return entries;
    entries.push(...page.entries);
    cursor = page.cursor;
  }
};

const texts = (entries: readonly Entry[]): string[] => entries.map(({ record, text }) => `${record}: ${text}`);

test('40 records that write at once, while somebody reads: nothing lost, nothing twice, each in its own order', async () => {
  const { journal } = await open();
  const records = Array.from({ length: 40 }, (_, n) => `${ROOT}_10_${n}`);
  const write = async (record: string): Promise<void> => {
    for (const version of [1, 2, 3]) await journal.append(entry(record, version));
  };
  let written = false;
  const writing = Promise.all(records.map(write)).then(() => {
    written = true;
  });
  const followed: Entry[] = [];
  for (let cursor = '', last = false; !last; ) {
    last = written;
    const page = await journal.read(TENANT, ROOT, { cursor, limit: 7 });
    followed.push(...page.entries);
    cursor = page.cursor;
    last &&= page.entries.length === 0;
  }
  await writing;
  const expected = records.flatMap((record) => [1, 2, 3].map((version) => `${record}: version ${version}`));
  expect(texts(followed).sort()).toEqual(expected.sort());
  expect(texts(await readAll(journal, 50)).sort()).toEqual(expected.sort());
  for (const record of records) {
    const own = followed.filter((each) => each.record === record).map(({ version }) => version);
    expect(own).toEqual([1, 2, 3]);
  }
}, 180_000);

const note = (message: string): Entry => entry(ROOT, 0, { kind: 'note', note: message, text: `note ${message}` });

test.each([
  ['a version', 1, entry(ROOT, 2)],
  ['a note', 1, note('m1')],
  ['a note', 2, note('m1')],
])('%s whose writer crashes before write %i is there once after the repeat', async (_what, n, said) => {
  const { rig, journal } = await open();
  await journal.append(entry(ROOT, 1));
  crashAt(rig, n);
  await expect(journal.append(said)).rejects.toThrow('crashed');
  restart(rig);
  expect(await readAll(journal, 10)).toHaveLength(1);
  expect(await journal.has(TENANT, ROOT, 2)).toBe(false);
  for (const _ of [1, 2]) await journal.append(said);
  expect(await journal.has(TENANT, ROOT, 2)).toBe(said.version === 2);
  expect(texts(await readAll(journal, 10))).toEqual([`${ROOT}: version 1`, `${ROOT}: ${said.text}`]);
});

test('a note that lost its place to another entry is put behind it, also when its writer crashed meanwhile', async () => {
  const { rig, journal } = await open();
  crashAt(rig, 2);
  await expect(journal.append(note('m1'))).rejects.toThrow('crashed');
  restart(rig);
  await journal.append(entry(ROOT, 1));
  const { cursor } = await journal.read(TENANT, ROOT, { cursor: '', limit: 10 });
  for (const _ of [1, 2]) await journal.append(note('m1'));
  expect((await journal.read(TENANT, ROOT, { cursor, limit: 10 })).entries.map(({ text }) => text)).toEqual([
    'note m1',
  ]);
  expect(texts(await readAll(journal, 1))).toEqual([`${ROOT}: version 1`, `${ROOT}: note m1`]);
});

test('a version is found however much others of its log have said since, and a repeat of an older one is not said again', async () => {
  const { journal } = await open();
  for (const version of [1, 2]) await journal.append(entry(ROOT, version));
  for (let n = 0; n < 90; n += 1) await journal.append(note(`m${n}`));
  expect(await Promise.all([1, 2, 3].map((version) => journal.has(TENANT, ROOT, version)))).toEqual([
    true,
    true,
    false,
  ]);
  for (const version of [1, 2, 3]) await journal.append(entry(ROOT, version));
  const versions = (await readAll(journal, 100)).map(({ version }) => version).filter((version) => version > 0);
  expect(versions).toEqual([1, 2, 3]);
});

test('a version is one write, and what tells whether it is said one question', async () => {
  const { rig, journal } = await open();
  for (const version of [1, 2]) await journal.append(entry(ROOT, version));
  const asked: string[] = [];
  rig.around = (command, send) => {
    asked.push(command);
    return send();
  };
  await journal.has(TENANT, ROOT, 2);
  await journal.append(entry(ROOT, 3));
  expect(asked).toEqual(['Query', 'Query', 'Put']);
});

test('the same entry appended by two processes at once is there once', async () => {
  const { rig, table, journal } = await open();
  for (const n of [1, 2]) {
    meanwhile(rig, n, () => dynamoJournal(table, systemClock()).append(entry(ROOT, n)));
    await journal.append(entry(ROOT, n));
  }
  expect(texts(await readAll(journal, 10))).toEqual([`${ROOT}: version 1`, `${ROOT}: version 2`]);
});

test.each([1, 2])(
  'a note that two processes say is there once, whoever comes between its write %i and the one before',
  async (n) => {
    const { rig, table, journal } = await open();
    const other = dynamoJournal(table, systemClock());
    meanwhile(rig, n, async () => {
      await other.append(entry(ROOT, 1));
      await other.append(note('m1'));
      await other.append(entry(ROOT, 2));
    });
    await journal.append(note('m1'));
    const said = texts(await readAll(journal, 10));
    expect(said).toEqual([`${ROOT}: version 1`, `${ROOT}: note m1`, `${ROOT}: version 2`]);
  },
);

test('clocks that disagree change the order between records at most, and lose nothing', async () => {
  const { table } = await open();
  const writers = [60_000, 0, -60_000].map((skew) =>
    dynamoJournal(
      table,
      systemClock(() => Date.now() + skew),
    ),
  );
  for (let version = 1; version <= 12; version += 1) await writers[version % 3]?.append(entry(ROOT, version));
  for (const limit of [1, 5, 100]) {
    const read = await readAll(dynamoJournal(table, systemClock()), limit);
    expect(read.map(({ version }) => version)).toEqual(Array.from({ length: 12 }, (_, n) => n + 1));
  }
});

test('a cursor stays short, however many records there are below a root', async () => {
  const { journal } = await open();
  for (let n = 0; n < 60; n += 1) await journal.append(entry(`${ROOT}_10_${n}`, 1));
  const { cursor } = await journal.read(TENANT, ROOT, { cursor: '', limit: 100 });
  expect(cursor.length).toBeLessThan(40);
});
