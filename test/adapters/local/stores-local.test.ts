// What only the embedded host's stores promise: live followers, seeding, damaged bytes, growing ids.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { systemClock } from '#shared/adapters/local/system-clock.ts';
import { HolarchyFile } from '#shared/contracts/holon.ts';
import { RootId } from '#shared/contracts/ids.ts';
import { entry, rootId, TENANT } from '../suites/samples.ts';
import { faultOf, newHome, openHome } from './home.ts';

const ROOT = rootId(1);
const report = (body: string) => ({
  task: ROOT,
  holon: 'code',
  iteration: 1,
  name: '../../report',
  kind: 'report' as const,
  media_type: 'text/plain',
  from: [],
  body,
});

test('a follower hears every new entry once, with the cursor behind it, until it leaves', async () => {
  const { journal } = openHome();
  const heard: string[] = [];
  const cursors: string[] = [];
  const leave = journal.follow((each, cursor) => {
    heard.push(each.text);
    cursors.push(cursor);
  });
  for (const version of [1, 2, 2, 3]) await journal.append(entry(ROOT, version));
  leave();
  await journal.append(entry(ROOT, 4));
  expect(heard).toEqual(['version 1', 'version 2', 'version 3']);
  const rest = await journal.read(TENANT, ROOT, { cursor: cursors[1] ?? '', limit: 10 });
  expect(rest.entries.map((each) => each.version)).toEqual([3, 4]);
});

test('the inbox remembers per consumer what is done', async () => {
  const { inbox } = openHome();
  await inbox.done('answer', 'm:1:0');
  await inbox.done('answer', 'm:1:0');
  expect(await inbox.seen('answer', 'm:1:0')).toBe(true);
  expect(await inbox.seen('route', 'm:1:0')).toBe(false);
  expect(await inbox.seen('answer', 'm:1:1')).toBe(false);
});

test('a holarchy is seeded once and never over one that is there', async () => {
  const { holons } = openHome();
  const file = (id: string) => HolarchyFile.parse({ version: 1, policy: {}, holons: [{ id, role: 'root' }] });
  expect(await holons.seed(TENANT, file('first'))).toBe(true);
  expect(await holons.seed(TENANT, file('second'))).toBe(false);
  expect((await holons.all(TENANT)).map((card) => card.id)).toEqual(['first']);
});

test('bytes that somebody changed or took away are a fault that names the artifact; a path in a name leads nowhere', async () => {
  const folder = newHome();
  const { artifacts } = openHome({ folder });
  const meta = await artifacts.put(TENANT, report('the true report'));
  const bytes = path.join(folder, 'artifacts', meta.sha256.slice(0, 2), meta.sha256.slice(2));
  expect(readFileSync(bytes, 'utf8')).toBe('the true report');
  expect(readdirSync(folder).sort()).toEqual(['artifacts', 'hca.sqlite', 'hca.sqlite-shm', 'hca.sqlite-wal']);
  writeFileSync(bytes, 'the false report');
  const fault = await faultOf(() => artifacts.bytes(TENANT, meta.id));
  expect(fault).toMatchObject({ code: 'HcaCorrupt', message: expect.stringContaining(meta.id) });
  await artifacts.put(TENANT, report('the true report'));
  expect(Buffer.from(await artifacts.bytes(TENANT, meta.id)).toString()).toBe('the true report');
  rmSync(bytes);
  expect((await faultOf(() => artifacts.bytes(TENANT, meta.id))).code).toBe('HcaCorrupt');
});

test('equal bytes of many artifacts lie on the disk once, and nothing half written stays', async () => {
  const folder = newHome();
  const { artifacts } = openHome({ folder });
  const names = Array.from({ length: 10 }, (_, n) => `report ${n}`);
  await Promise.all(names.map((name) => artifacts.put(TENANT, { ...report('same'), name })));
  const files = readdirSync(path.join(folder, 'artifacts'), { recursive: true, withFileTypes: true });
  expect(files.filter((file) => file.isFile())).toHaveLength(1);
  expect(await artifacts.list(TENANT, ROOT)).toHaveLength(10);
});

test('a folder that cannot be written is a clear fault, and no artifact is listed', async () => {
  const folder = newHome();
  const { artifacts } = openHome({ folder });
  writeFileSync(path.join(folder, 'artifacts'), 'a file in the way');
  const fault = await faultOf(() => artifacts.put(TENANT, report('x')));
  expect(fault).toMatchObject({ code: 'HcaUnavailable', remedy: expect.stringContaining('may be written') });
  expect(await artifacts.list(TENANT, ROOT)).toEqual([]);
});

test('ids are ULIDs and grow, also within one millisecond', () => {
  const clock = systemClock(() => 1_700_000_000_000);
  const made = Array.from({ length: 1000 }, () => clock.ulid());
  expect(made.every((id) => RootId.safeParse(id).success)).toBe(true);
  expect([...made].sort()).toEqual(made);
  expect(new Set(made).size).toBe(1000);
});
