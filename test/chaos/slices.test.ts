// Work that takes longer than a slice goes on in another invocation at the same tick (docs/decisions/0013, 0041): every call is committed once, a
// deadline and a cancel end it, and an invocation that was thought dead changes nothing twice.
import { expect, it } from 'vitest';
import type { HistoryEvent } from '#local/asl/history-event.ts';
import { HarnessPackage } from '#shared/contracts/profile.ts';
import type { TaskRecord } from '#shared/contracts/task.ts';
import { callStep, historyOf, isSave, once, toEnd } from '#test/support/chaos/acts.ts';
import { bench, fine } from '#test/support/chaos/bench.ts';
import { journalOf } from '#test/support/chaos/final-state.ts';
import type { ChaosHouse } from '#test/support/chaos/house.ts';
import type { Hook } from '#test/support/chaos/intercept.ts';
import { noOpHarness } from '#test/support/no-op-house.ts';
import { submit, TENANT, taskOf } from '#test/support/submit.ts';

const { open } = bench();
const CALLS = 5;
/** A call takes longer than a slice of work. */
const LONG_MS = 61_000;

const slow = HarnessPackage.parse({
  ...noOpHarness,
  tools: noOpHarness.tools.map((tool) => ({
    ...tool,
    declares: { calls: CALLS + 1, time_ms: 10 },
    steps: Array.from({ length: CALLS }, (_, n) => ({
      call: { tool: 'filesystem.write_file', arguments: { path: 'turn.txt', content: `${n}` } },
      note: `part ${n}`,
    })),
  })),
});

const isPart = ({ name, args }: { name: string; args: unknown[] }): boolean =>
  name === 'tools.call' && (args[1] as { tool: string }).tool === 'filesystem.write_file';

/** Nothing is done before the work is. */
const found = ({ state }: TaskRecord): string => (state === 'planning' ? 'not yet' : 'done');

const opened = async (hooks: readonly Hook[]): Promise<{ house: ChaosHouse; made: () => number }> => {
  let made = 0;
  const slowly: Hook = async (call) => {
    if (!isPart(call)) return call.run();
    made += 1;
    house.clock.advance(LONG_MS);
    return call.run();
  };
  const house: ChaosHouse = await open({ packages: [slow], found, hooks: [slowly, ...hooks] });
  return { house, made: () => made };
};

const run = async (house: ChaosHouse, budget: { time_ms?: number } = {}): Promise<string> => {
  const root = await submit(house, { goal: 'take the turn', to: 'turner', budget });
  await toEnd(house);
  return root;
};

const partsOf = async (house: ChaosHouse, root: string): Promise<string[]> =>
  (await journalOf(house, root)).filter(({ text }) => text.startsWith('part ')).map(({ text }) => text.slice(0, 6));

const ALL = Array.from({ length: CALLS }, (_, n) => `part ${n}`);

it('is done once, part by part, in one visit of Work at one tick', async () => {
  const ticks = new Set<number>();
  const watch: Hook = async (call) => {
    if (isSave(call, 'work', 'task')) ticks.add((call.args[0] as { last: { at: { tick: number } } }).last.at.tick);
    return call.run();
  };
  const { house, made } = await opened([watch]);
  const root = await run(house);
  expect((await taskOf(house, root)).state).toBe('completed');
  expect(await partsOf(house, root)).toEqual(ALL);
  expect([made(), ticks.size]).toEqual([CALLS, 1]);
  const events = historyOf(house, `${root}-1`);
  const entered = ({ type, name }: HistoryEvent): boolean => type === 'TaskStateEntered' && name === 'Work';
  expect(events.filter(entered)).toHaveLength(1);
  expect(events.filter((event) => JSON.stringify(event).includes('HcaMore'))).toHaveLength(CALLS);
  await fine(house, root);
});

it('ends at its deadline, also between two slices', async () => {
  const { house, made } = await opened([]);
  const root = await run(house, { time_ms: 80_000 });
  expect(await taskOf(house, root)).toMatchObject({ state: 'escalated', result: null });
  expect(made()).toBeLessThan(CALLS);
  expect(await partsOf(house, root)).toEqual(ALL.slice(0, made()));
  await fine(house, root);
});

it('ends at a cancel, also between two slices: nothing is called any more', async () => {
  const stop = once(
    (call) => isSave(call, 'work', 'task'),
    async () => house.ports.marks.set(TENANT, await rootOf(house), 'a person asked'),
    'after',
  );
  const { house, made } = await opened([stop]);
  const root = await run(house);
  expect((await taskOf(house, root)).state).toBe('cancelled');
  expect(made()).toBe(1);
  await fine(house, root);
});

it('takes an invocation that was thought dead for one more: a part that both made is committed once', async () => {
  let isWoken = false;
  const wake: Hook = async (call) => {
    if (!isPart(call) || isWoken || (call.args[1] as { arguments: { content: string } }).arguments.content !== '2')
      return call.run();
    isWoken = true;
    const root = await rootOf(house);
    const { last } = await taskOf(house, root);
    const dead = { tenant: TENANT, record: root, execution: `${root}-1`, tick: last?.at.tick, redrive: 0, retry: 0 };
    woken.push(await callStep(house, 'work', dead).catch((error: Error) => error.name));
    return call.run();
  };
  const woken: unknown[] = [];
  const { house } = await opened([wake]);
  const root = await run(house);
  expect(woken).toEqual(['HcaMore']);
  expect((await taskOf(house, root)).state).toBe('completed');
  expect(await partsOf(house, root)).toEqual(ALL);
  await fine(house, root);
});

/** The only task of a house. */
const rootOf = async (house: ChaosHouse): Promise<string> => {
  const [only] = await house.ports.tasks.roots(TENANT, { limit: 1 });
  return only?.id ?? '';
};
