// ACP sessions on DynamoDB have no transaction: one open turn whoever races, no crash locks a session, and what nobody comes back to expires.
import { expect, onTestFinished, test } from 'vitest';
import { queryItems } from '#shared/adapters/aws/dynamo-query.ts';
import { dynamoSessions } from '#shared/adapters/aws/dynamo-sessions.ts';
import { removeItem } from '#shared/adapters/aws/dynamo-table.ts';
import { systemClock } from '#shared/adapters/local/system-clock.ts';
import { AcpConnection } from '#shared/contracts/acp-session.ts';
import { rootId, TENANT } from '../suites/samples.ts';
import { attachment, caller, OWNER, request, SESSION, session, turn } from '../suites/session-samples.ts';
import { crashAt, meanwhile, restart } from './crash.ts';
import { openRig } from './rig.ts';

const NOW = 1_700_000_000_000;
const DAYS = 30 * 24 * 3600;
const DAY_MS = 86_400_000;

const open = async () => {
  const rig = await openRig(['sessions']);
  onTestFinished(() => rig.close());
  const table = rig.table('sessions');
  const time = { now: NOW };
  return {
    rig,
    table,
    sessions: dynamoSessions(
      table,
      systemClock(() => time.now),
    ),
    time,
  };
};

test('of twenty turns that begin at once one begins', async () => {
  const { sessions } = await open();
  const turns = Array.from({ length: 20 }, (_, n) => turn(rootId(100 + n), { caller: { ...caller, rpc: n } }));
  const begun = await Promise.all(turns.map((each) => sessions.begin(each)));
  expect(begun.filter((each) => each)).toHaveLength(1);
  const [now] = await sessions.unfinished(TENANT, SESSION);
  expect(now).toMatchObject(turns[begun.indexOf(true)] ?? {});
  const known = await Promise.all(turns.map((each) => sessions.turnOf(TENANT, each.caller)));
  expect(known.map((each) => each !== undefined)).toEqual(begun);
});

test.each([1, 2, 3])(
  'a turn that crashes before write %i of its beginning has not begun and keeps no other out',
  async (n) => {
    const { rig, sessions } = await open();
    crashAt(rig, n);
    await expect(sessions.begin(turn(rootId(2)))).rejects.toThrow('crashed');
    restart(rig);
    expect(await sessions.unfinished(TENANT, SESSION)).toEqual([]);
    expect(await sessions.turnOfTask(TENANT, rootId(2))).toBeUndefined();
    expect(await sessions.begin(turn(rootId(3)))).toBe(true);
    expect((await sessions.unfinished(TENANT, SESSION)).map(({ id }) => id)).toEqual([rootId(3)]);
  },
);

test.each([2, 3])('a turn that crashes before write %i of its end is over and keeps no other out', async (n) => {
  const { rig, sessions } = await open();
  await sessions.begin(turn(rootId(2)));
  crashAt(rig, n);
  await expect(sessions.saveTurn(turn(rootId(2), { open: false, stage: 'over' }))).rejects.toThrow('crashed');
  restart(rig);
  expect(await sessions.unfinished(TENANT, SESSION)).toEqual([]);
  expect(await sessions.begin(turn(rootId(3)))).toBe(true);
  expect(await sessions.begin(turn(rootId(4)))).toBe(false);
});

test('whoever finds the last turn over and is overtaken does not begin', async () => {
  const { rig, sessions } = await open();
  await sessions.begin(turn(rootId(2)));
  crashAt(rig, 2);
  await sessions.saveTurn(turn(rootId(2), { open: false })).catch(() => undefined);
  meanwhile(rig, 3, () => sessions.begin(turn(rootId(3), { caller: { ...caller, rpc: 8 } })));
  expect(await sessions.begin(turn(rootId(4)))).toBe(false);
  expect((await sessions.unfinished(TENANT, SESSION)).map(({ id }) => id)).toEqual([rootId(2), rootId(3)]);
});

test('the newest turn that submitted is found behind many that did not', async () => {
  const { sessions } = await open();
  for (let n = 10; n < 45; n += 1) {
    const each = turn(rootId(n), { caller: { ...caller, rpc: n } });
    await sessions.begin(each);
    await sessions.saveTurn({ ...each, open: false, stage: 'over', submitted: n === 12 });
  }
  expect(await sessions.lastSubmitted(TENANT, SESSION)).toMatchObject({ id: rootId(12) });
});

test.each([1, 2, 3, 4])(
  'a session whose removal crashes before write %i is removed by the repeat, to the last item',
  async (n) => {
    const { rig, table, sessions } = await open();
    await sessions.keep(session(SESSION));
    await sessions.begin(turn(rootId(2)));
    await sessions.ask(request('r1'));
    crashAt(rig, n);
    await expect(sessions.remove(OWNER, SESSION)).rejects.toThrow('crashed');
    restart(rig);
    await sessions.remove(OWNER, SESSION);
    expect(await sessions.session(OWNER, SESSION)).toBeUndefined();
    expect(await sessions.turnOf(TENANT, caller)).toBeUndefined();
    expect(await sessions.turnOfTask(TENANT, rootId(2))).toBeUndefined();
    expect(await sessions.request(TENANT, 'r1')).toBeUndefined();
    for (const pk of [`local#turns#${SESSION}`, `local#turn#${rootId(2)}`, 'local#request#r1'])
      expect(await queryItems(table, { where: '#pk = :pk', values: { pk } })).toEqual([]);
  },
);

test('sessions, turns, connections, what they follow, and requests expire, and whoever touches one renews it', async () => {
  const { table, sessions, time } = await open();
  await sessions.connect(
    AcpConnection.parse({ ...OWNER, id: 'c1', client: 'x', reads: false, writes: false, opened_at: 1 }),
  );
  await sessions.attach(attachment);
  await sessions.keep(session(SESSION));
  await sessions.begin(turn(rootId(2)));
  await sessions.ask({ ...request('r1'), deadline: NOW + 5000 });
  const expiries = async (pk: string) =>
    (await queryItems(table, { where: '#pk = :pk', values: { pk } })).map((item) => item.expires_at ?? null);
  expect(await expiries('local#connection#c1')).toEqual([NOW / 1000 + DAYS, NOW / 1000 + DAYS]);
  expect(await expiries(`local#followers#${SESSION}`)).toEqual([NOW / 1000 + DAYS]);
  expect(await expiries(`local#turn#${rootId(2)}`)).toEqual([NOW / 1000 + 5 + DAYS, NOW / 1000 + DAYS]);
  expect(await expiries('local#sessions#owner')).toEqual([NOW / 1000 + DAYS]);
  const leading = [`local#turns#${SESSION}`, `local#task#${rootId(2)}`];
  for (const pk of leading) for (const until of await expiries(pk)) expect(until, pk).toBe(NOW / 1000 + 2 * DAYS);
  time.now += 10 * DAY_MS;
  await sessions.keep(session(SESSION));
  await sessions.saveTurn(turn(rootId(2), { stage: 'running' }));
  expect(await expiries('local#sessions#owner')).toEqual([NOW / 1000 + DAYS + (10 * DAY_MS) / 1000]);
  expect((await expiries(`local#turn#${rootId(2)}`))[1]).toBe(NOW / 1000 + DAYS + (10 * DAY_MS) / 1000);
});

test('a turn that has expired is nobody’s and keeps no other out', async () => {
  const { table, sessions } = await open();
  await sessions.begin(turn(rootId(2)));
  await removeItem(table, { pk: `local#turn#${rootId(2)}`, sk: 'turn' });
  expect(await sessions.turnOfTask(TENANT, rootId(2))).toBeUndefined();
  expect(await sessions.saveTurn(turn(rootId(2), { stage: 'over' }))).toBe(false);
  expect(await sessions.begin(turn(rootId(3)))).toBe(true);
  expect((await sessions.unfinished(TENANT, SESSION)).map(({ id }) => id)).toEqual([rootId(3)]);
});
