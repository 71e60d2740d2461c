// A harness package is changed or taken away while a task runs (the store of packages changes without a deployment): the task is measured by what it
// was measured by, goes on with what there is, or ends with a clear reason; never by a fault, and never for less.
import { expect, it, onTestFinished } from 'vitest';
import { createRuntime, type Runtime } from '#local/runtime.ts';
import type { HarnessPackage } from '#shared/contracts/profile.ts';
import { noOpHarness, noOpHolarchy, noOpOutside, type Reader } from '#test/support/no-op-house.ts';
import { type Submission, submit, TENANT, taskOf } from '#test/support/submit.ts';

/** A house whose packages change when a reviewer looks for the first time. The file reads `done` once its task wrote it so many times. */
const open = async (doneAfter: number, change: (house: Runtime) => Promise<unknown>): Promise<Runtime> => {
  const written = new Map<string, number>();
  let isChanged = false;
  const read: Reader = ({ tool }, { task, lane }) => {
    const times = (written.get(task) ?? 0) + (tool === 'filesystem.read_file' ? 0 : 1);
    written.set(task, times);
    const isFirst = lane === 'reviewer' && !isChanged;
    if (isFirst) change(house).catch(() => undefined);
    isChanged ||= isFirst;
    return times >= doneAfter ? 'done' : 'not yet';
  };
  const house = createRuntime({ folder: ':memory:', outside: () => noOpOutside(read) });
  onTestFinished(() => house.close());
  await house.ports.holons.load(TENANT, noOpHolarchy);
  house.start();
  return house;
};

const run = async (house: Runtime, what: Partial<Submission> = {}) => {
  const id = await submit(house, { goal: 'take the turn', ...what });
  await house.idle();
  return taskOf(house, id);
};

const put = (harness: Partial<HarnessPackage>) => (house: Runtime) =>
  house.ports.profiles.put({ ...noOpHarness, version: 2, ...harness });

/** Everything but the family of the task. */
const GONE: Partial<HarnessPackage> = {
  families: noOpHarness.families.filter(({ name }) => name !== 'turn'),
  tools: noOpHarness.tools.map((tool) => ({ ...tool, families: ['left', 'right'] })),
};

it('criteria stay those of the first plan, however little a new version asks for', async () => {
  const nothing = { kind: 'file' as const, path: 'turn.txt', exists: true, matches: 'not yet' };
  const weaker = noOpHarness.criteria.map((one) => ({ ...one, check: nothing }));
  const house = await open(3, put({ criteria: weaker as HarnessPackage['criteria'] }));
  const record = await run(house, { to: 'turner' });
  expect((await house.ports.profiles.load('no-op')).version).toBe(2);
  expect(record).toMatchObject({ state: 'completed', failing: null });
  expect(record.attempts.map(({ result }) => result)).toEqual(['fail', 'fail', 'pass']);
  expect(record.plan?.criteria.find(({ id }) => id === 'done')?.check).toMatchObject({ matches: 'done' });
});

it('another tool of a new version is used for the next attempt', async () => {
  const tools = noOpHarness.tools.map((tool) => ({ ...tool, name: 'turn-better' }));
  const record = await run(await open(2, put({ tools })), { to: 'turner' });
  expect(record).toMatchObject({ state: 'completed', failing: null });
  expect(record.plan?.leaf?.alternative).toBe('turn-better');
});

it.each(['root', 'turner'])('without the family nothing is left to try for the task that %s took on', async (to) => {
  const house = await open(2, put(GONE));
  const record = await run(house, { to });
  expect(record.state).toBe('escalated');
  expect(record.failing?.detail).toContain('done is unmet');
  expect(await said(house, record.root)).toContain('turner: escalates: no_alternative');
});

/** The package changes just before it is asked for the nth time. */
const openChangingAt = async (nth: number): Promise<Runtime> => {
  const house = await open(1, async () => undefined);
  const { profiles } = house.ports;
  const all = profiles.all;
  let asked = 0;
  profiles.all = async () => {
    asked += 1;
    if (asked === nth) await put(GONE)(house);
    return all();
  };
  return house;
};

const said = async (house: Runtime, root: string): Promise<string> => {
  const { entries } = await house.ports.journal.read(TENANT, root, { cursor: '', limit: 1000 });
  return entries.map(({ holon, text }) => `${holon}: ${text}`).join('\n');
};

it.each([
  [1, 'rejected', 'root: rejects'],
  [2, 'escalated', 'root: cannot plan: no_capability: no harness package covers "take the turn" any more'],
  [4, 'escalated', 'works: cannot plan: no_capability: no harness package covers "turn" any more'],
  [6, 'escalated', 'turner: cannot plan: no_capability: no harness package covers "turn" any more'],
])(
  'a family that is gone when packages are asked for the %ith time ends the task as %s, with the reason',
  async (...[nth, end, why]) => {
    const house = await openChangingAt(nth);
    const record = await run(house);
    expect(record.state).toBe(end);
    const journal = await said(house, record.root);
    expect(journal).toContain(why);
    expect(journal).not.toMatch(/bug:|HcaInternal/);
  },
);

it('what was taken on and is covered by half before its first plan is not done by half', async () => {
  const record = await run(await openChangingAt(2), { goal: 'take the left and take the turn' });
  expect(record.state).toBe('escalated');
  expect(record.failing).toMatchObject({
    reason: 'no_capability',
    detail: expect.stringContaining('no harness package covers "take the turn" any more'),
  });
});
