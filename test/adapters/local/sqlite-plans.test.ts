// No request path scans: the query plan of every statement that the stores run is looked at (architecture section 8).
import { expect, test } from 'vitest';
import type { LocalPorts } from '#shared/adapters/local/ports.ts';
import { collectArtifacts } from '#shared/adapters/local/sqlite-collect.ts';
import { forgetRoot, isStill } from '#shared/adapters/local/sqlite-forget.ts';
import { forgetSessions } from '#shared/adapters/local/sqlite-forget-sessions.ts';
import { namesLeft } from '#shared/adapters/local/sqlite-names.ts';
import { SessionOptions } from '#shared/contracts/acp-session.ts';
import { HolarchyFile } from '#shared/contracts/holon.ts';
import { LessonQuery } from '#shared/contracts/lesson.ts';
import { all, cancel, delegate, entry, lesson, rootId, TENANT, task } from '../suites/samples.ts';
import { openHome, wasteful } from './home.ts';

const ROOT = rootId(1);
const key = { task: ROOT, on: `${ROOT}_10_1`, offer: 1 };
const outcome = { word: 'reject', by: 'm', body: null };

async function useRecords({ tasks, waits, marks, inbox, journal }: LocalPorts): Promise<void> {
  await tasks.save(task(ROOT), 0);
  await tasks.save(task(ROOT, { version: 2 }), 1);
  await tasks.put(task(ROOT));
  await tasks.load(TENANT, ROOT);
  await tasks.below(TENANT, ROOT);
  await tasks.openOf(TENANT, 'code');
  await tasks.roots(TENANT, { limit: 10 });
  await tasks.roots(TENANT, { limit: 10, before: ROOT, open: true });
  await tasks.roots(TENANT, { limit: 10, owner: 'owner' });
  await tasks.roots(TENANT, { limit: 10, open: true, owner: 'owner' });
  await tasks.unattended();
  await waits.outcome(TENANT, key, outcome);
  await waits.of(TENANT, ROOT);
  await marks.set(TENANT, ROOT, 'cause');
  await marks.read(TENANT, [ROOT]);
  await inbox.done('route', 'm');
  await inbox.seen('route', 'm');
  inbox.gc(0);
  await journal.append(entry(ROOT, 1));
  await journal.has(TENANT, ROOT, 1);
  await journal.read(TENANT, ROOT, { cursor: '', limit: 10 });
}

async function useRegisters({ holons, lessons, artifacts, ledger }: LocalPorts): Promise<void> {
  const file = HolarchyFile.parse({ version: 1, policy: {}, holons: [{ id: 'root', role: 'root' }] });
  await holons.seed(TENANT, file);
  await holons.load(TENANT, file);
  await holons.all(TENANT);
  await holons.get(TENANT, 'root');
  await holons.policy(TENANT);
  for (const version of [1, 2]) await lessons.put(TENANT, lesson('l', { version }));
  await lessons.get(TENANT, 'l');
  for (const parts of [{}, { family: 'lint' }, { domain: 'code' }, { family: 'lint', domain: 'code' }]) {
    await lessons.query(TENANT, LessonQuery.parse({ text: 'x', ...parts }));
  }
  const body = {
    task: ROOT,
    holon: 'code',
    iteration: 1,
    name: 'r',
    kind: 'report' as const,
    media_type: 'a/b',
    from: [],
    body: 'x',
  };
  await artifacts.put(TENANT, body);
  await artifacts.bytes(TENANT, `${ROOT}/1/r`, 1);
  await artifacts.list(TENANT, ROOT);
  await ledger.open(TENANT, ROOT, all(9));
  await ledger.grant(TENANT, { parent: ROOT, child: `${ROOT}_10_1`, key: 'g', budget: all(1) });
}

async function useSessions({ sessions }: LocalPorts): Promise<void> {
  const owner = { tenant: TENANT, subject: 'owner' };
  const caller = { connection: 'c', rpc: 1 };
  const options = SessionOptions.parse({});
  const session = { ...owner, id: ROOT, cwd: '/w', title: null, options, servers: [], opened_at: 1, updated_at: 1 };
  const turn = {
    tenant: TENANT,
    session: ROOT,
    id: ROOT,
    version: 1,
    caller,
    text: '',
    given: {},
    task: ROOT,
    submitted: true,
    questions: 0,
    servers: [],
  };
  await sessions.keep(session);
  await sessions.session(owner, ROOT);
  await sessions.list(owner, { limit: 1 });
  await sessions.list(owner, { limit: 1, cwd: '/w' });
  await sessions.begin({ ...turn, stage: 'new', open: true, cancel: null, claimed_until: 0, at: 1 });
  await sessions.saveTurn({ ...turn, stage: 'new', open: true, cancel: null, claimed_until: 0, at: 1 });
  await sessions.cancelTurn(TENANT, ROOT, 'session');
  await sessions.unfinished(TENANT, ROOT);
  await sessions.turnOf(TENANT, caller);
  await sessions.lastSubmitted(TENANT, ROOT);
  await sessions.asked(TENANT, ROOT);
  await sessions.request(TENANT, 'r');
  await sessions.sent(TENANT, 'r', { from: null, connection: 'c' });
  await sessions.turnOfTask(TENANT, ROOT);
  await sessions.followers(TENANT, ROOT);
  await sessions.disallow(owner, '/w');
  await sessions.answer(TENANT, 'r', { error: '' });
  await sessions.attachments(TENANT, 'c');
  await sessions.detach(TENANT, 'c', ROOT);
  await sessions.connection(owner, 'c');
  await sessions.disconnect(TENANT, 'c');
  await sessions.allowed(owner, '/w');
  await sessions.remove(owner, ROOT);
}

async function useBus({ bus }: LocalPorts): Promise<void> {
  bus.subscribe('hca/task/cancel', 'route', async () => undefined);
  bus.subscribe('hca/task/delegate', 'answer', () => Promise.reject(new Error('no')));
  bus.start();
  await bus.publish([cancel('m1'), delegate('m2')]);
  await bus.idle();
  expect(bus.deadLetters()).toHaveLength(1);
  bus.redrive('all');
  await bus.idle();
}

async function sweep({ db, blobs }: LocalPorts): Promise<void> {
  const breathe = async () => undefined;
  expect(isStill(db, TENANT, ROOT)).toBe(false);
  const { artifacts } = await namesLeft(db, breathe);
  await collectArtifacts({ db, blobs }, { named: artifacts, before: 0 }, breathe);
  await forgetSessions(db, { tenant: TENANT, before: 9 }, breathe);
  await forgetRoot(db, { tenant: TENANT, id: ROOT }, breathe);
  expect(isStill(db, TENANT, ROOT)).toBe(true);
}

test('every statement finds its rows by an index', async () => {
  const house = openHome({ bus: { attempts: 2 } });
  await useRecords(house);
  await useRegisters(house);
  await useSessions(house);
  await useBus(house);
  await sweep(house);
  const statements = house.db.statements();
  expect(statements.length).toBeGreaterThan(40);
  expect(statements.flatMap((sql) => wasteful(house.db, sql).map((detail) => `${detail}: ${sql}`))).toEqual([]);
});

test.each([
  'SELECT * FROM records',
  'SELECT * FROM journal WHERE holon = 1',
  'SELECT * FROM records WHERE tenant = 1 ORDER BY goal',
])('a scan would be seen: %s', (sql) => {
  expect(wasteful(openHome().db, sql.replace('holon', 'body'))).not.toEqual([]);
});
