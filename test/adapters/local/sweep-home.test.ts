// `hca gc`: what is over goes with everything below it, what is open or named by what is open stays, cut off anywhere or not.
import { expect, test } from 'vitest';
import { FORGET_SQL } from '#local/asl/forget.ts';
import { type ArtifactMeta, refOf } from '#shared/contracts/artifact.ts';
import { TENANT, taskOf } from '#test/support/submit.ts';
import { entry, rootId } from '../suites/samples.ts';
import { request, session, turn } from '../suites/session-samples.ts';
import { wasteful } from './home.ts';
import { age, end, filesOf, NOTHING, openBeside, openHouse, rowsOf } from './sweep-rig.ts';

test('an ended task goes whole; an open one, and what it names of an ended one, stays', async () => {
  const { home, house, workspaces, gc } = await openHouse();
  const [first, second] = [await end(house), await end(house)];
  expect([first.state, second.state]).toEqual(['completed', 'completed']);
  const [named, unnamed] = ['kept', 'gone'].map((text) =>
    workspaces.trees.put([
      { path: text, mode: 'file', sha256: workspaces.trees.blobs.put(Buffer.from(text)), bytes: 4 },
    ]),
  );
  const open = await openBeside(house, first, named ?? '');
  const change = first.result?.artifact;
  expect(change).not.toBeNull();
  const before = { open: rowsOf(house, open), lessons: house.storage.db.get('SELECT count(*) AS n FROM lessons') };
  expect(rowsOf(house, second.id)).toMatchObject({ records: expect.any(Number), asl_executions: expect.any(Number) });
  age(home);
  const files = filesOf(home);
  const swept = await gc();
  const left = filesOf(home);
  expect(rowsOf(house, second.id)).toEqual(NOTHING);
  expect(rowsOf(house, first.id)).toEqual({ ...NOTHING, artifacts: 1 });
  for (const table of ['asl_visits', 'asl_attempts']) {
    expect(house.storage.db.get(`SELECT count(*) AS n FROM ${table}`)).toEqual({ n: 0 });
  }
  expect({ open: rowsOf(house, open), lessons: house.storage.db.get('SELECT count(*) AS n FROM lessons') }).toEqual(
    before,
  );
  expect((await taskOf(house, open)).continues).toBe(first.id);
  if (change != null)
    expect((await house.ports.artifacts.bytes(TENANT, change.id, change.version)).length).toBeGreaterThan(0);
  expect(Buffer.from((await workspaces.read(named ?? '', 'kept')) ?? '')).toEqual(Buffer.from('kept'));
  await expect(workspaces.list(unnamed ?? '')).rejects.toMatchObject({ code: 'HcaNotFound' });
  const gone = [...files].filter(([file]) => !left.has(file));
  expect(gone.length).toBeGreaterThan(2);
  expect(swept).toMatchObject({ tasks: 2, bytes: gone.reduce((sum, [, size]) => sum + size, 0) });
  expect(await gc()).toEqual({ tasks: 0, artifacts: 0, sessions: 0, conversations: 0, bytes: 0 });
});

test('an artifact that was kept for a task goes when that task goes', async () => {
  const { house, gc } = await openHouse();
  const first = await end(house);
  const open = await openBeside(house, first, 'a'.repeat(64));
  await gc();
  expect(rowsOf(house, first.id).artifacts).toBe(1);
  const record = await taskOf(house, open);
  await house.ports.tasks.save({ ...record, state: 'cancelled', ended_at: 2, version: 1 }, 0);
  expect((await gc()).artifacts).toBe(1);
  expect(rowsOf(house, first.id)).toEqual(NOTHING);
});

test('bytes that an artifact still names stay, and so do bytes whose artifact is about to be stored', async () => {
  const { home, house, gc } = await openHouse();
  const { id } = await end(house);
  const young = await house.ports.artifacts.list(TENANT, id);
  expect(await gc()).toMatchObject({ tasks: 1, artifacts: young.length, bytes: 0 });
  const put = (task: string): Promise<ArtifactMeta> =>
    house.ports.artifacts.put(TENANT, {
      task,
      holon: 'turner',
      iteration: 1,
      name: 'same',
      kind: 'report',
      media_type: 'text/plain',
      from: [],
      body: 'the same bytes',
    });
  const kept = refOf(await put(await openBeside(house, await end(house), 'b'.repeat(64))));
  await put(house.ports.clock.ulid());
  age(home);
  await gc();
  expect(Buffer.from(await house.ports.artifacts.bytes(TENANT, kept.id, 1)).toString()).toBe('the same bytes');
});

test('a task whose messages are under way, or whose machine has not told its end, is left for the next sweep', async () => {
  const { house, gc } = await openHouse();
  const { id } = await end(house);
  const { db } = house.storage;
  db.run("INSERT INTO messages (id, method, attempts, body) VALUES (?, 'hca/task/cancel', 0, '{}')", [`${id}:9:0`]);
  expect((await gc()).tasks).toBe(0);
  db.run('DELETE FROM messages');
  db.run('UPDATE asl_executions SET owed = 1 WHERE name = ?', [`${id}-1`]);
  expect((await gc()).tasks).toBe(0);
  db.run('UPDATE asl_executions SET owed = 0');
  expect((await gc()).tasks).toBe(1);
});

test('cut off after any number of writes, the next sweep finishes; the open task beside it never notices', async () => {
  const { home, house, gc } = await openHouse();
  const first = await end(house);
  const open = await openBeside(house, first, 'c'.repeat(64));
  const before = rowsOf(house, open);
  const { db } = house.storage;
  const run = db.run;
  const cut: Record<string, number>[] = [];
  for (let writes = 0; writes < 14; writes += 1) {
    const { id } = await end(house);
    let done = 0;
    db.run = (sql, params) => {
      if (done === writes) throw new Error('cut off');
      done += 1;
      return run(sql, params);
    };
    await expect(gc()).rejects.toThrow('cut off');
    db.run = run;
    cut.push(rowsOf(house, id));
    expect(rowsOf(house, open)).toEqual(before);
    age(home);
    await gc();
    expect(rowsOf(house, id)).toEqual(NOTHING);
    expect(rowsOf(house, open)).toEqual(before);
  }
  expect(new Set(cut.map((rows) => JSON.stringify(rows))).size).toBeGreaterThan(4);
  expect(cut.some((rows) => rows.records === 1 && rows.journal === 0)).toBe(true);
});

test('forgetting an execution finds its rows by an index', async () => {
  const { house } = await openHouse();
  const { db } = house.storage;
  expect(Object.values(FORGET_SQL).flatMap((sql) => wasteful(db, sql))).toEqual([]);
});

test('a conversation goes when it is old, idle and followed by nobody; its journal goes with it', async () => {
  const { house, gc } = await openHouse();
  const { sessions, journal } = house.ports;
  const keep = async (n: number) => {
    const id = rootId(n);
    await sessions.keep(session(id, { tenant: TENANT, updated_at: 1 }));
    const note = entry(id, 1, { tenant: TENANT, kind: 'note', note: `note-${n}` });
    await journal.append(note);
    return id;
  };
  const [idle, running, followed, fresh] = [await keep(1), await keep(2), await keep(3), await keep(4)];
  await sessions.begin(turn(rootId(11), { tenant: TENANT, session: idle, stage: 'over', open: false }));
  await sessions.ask({ ...request('r1'), tenant: TENANT, turn: rootId(11) });
  await sessions.begin(turn(rootId(12), { tenant: TENANT, session: running, caller: { connection: 'c', rpc: 2 } }));
  await sessions.attach({ tenant: TENANT, connection: 'c', session: followed, position: { session: '', tasks: [] } });
  await sessions.keep(session(fresh, { tenant: TENANT, updated_at: house.ports.clock.now() + 10 * 86_400_000 }));
  expect((await gc()).conversations).toBe(1);
  const owner = { tenant: TENANT, subject: 'owner' };
  const left = (await sessions.list(owner, { limit: 10 })).map(({ id }) => id);
  expect(left.toSorted()).toEqual([running, followed, fresh]);
  const read = async (id: string) => (await journal.read(TENANT, id, { cursor: '', limit: 9 })).entries.length;
  expect([await read(idle), await read(running)]).toEqual([0, 1]);
  expect(await sessions.request(TENANT, 'r1')).toBeUndefined();
  expect((await gc()).conversations).toBe(0);
});
