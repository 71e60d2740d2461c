// The minute schedule of `sweep`: whatever may have lost its machine is looked at, the dead are swept, the living attended (architecture section 3).
import { expect, onTestFinished, test } from 'vitest';
import { sweep } from '#functions/sweep/step.ts';
import { localPorts } from '#shared/adapters/local/ports.ts';
import type { StepPorts } from '#shared/ports/index.ts';
import type { ExecutionStatus } from '#shared/ports/world.ts';
import { review, rootId, TENANT, task } from '#test/adapters/suites/samples.ts';

const LOOK = { tenant: '', machine: null, execution: null, status: null, turn: 0, entering: true };

/** Where an execution ran, if not where its record says, and the error it ended with. */
type Ran = Record<string, { machine?: string; error?: string }>;

/** A house in which these executions are known, by name. */
const houseOf = (executions: Record<string, ExecutionStatus['status']>, ran: Ran = {}) => {
  const house = localPorts({ folder: ':memory:' });
  onTestFinished(() => house.close());
  const started: string[] = [];
  const attended: string[] = [];
  const described: string[] = [];
  const workflows = {
    describe: async (machine: string, name: string) => {
      described.push(`${machine} ${name}`);
      const { machine: where = machine, error = null } = ran[name] ?? {};
      const status = where === machine ? executions[name] : undefined;
      return status === undefined ? undefined : { status, started_at: 0, ended_at: null, error };
    },
    start: async (machine: string, name: string) => {
      if (name.startsWith(rootId(13))) throw new Error('it does not start');
      started.push(`${machine} ${name}`);
      return 'started' as const;
    },
  };
  const tasks = { ...house.tasks, attend: async (_tenant: string, id: string) => void attended.push(id) };
  const ports = { ...house, workflows, tasks } as unknown as StepPorts<'sweep'>;
  const look = () => sweep(LOOK as never, undefined as never, ports);
  return { house, started, attended, described, look };
};

test('of open tasks the dead get another generation, the living are attended, and what is over is left alone', async () => {
  const { house, started, attended, described, look } = houseOf({
    [`${rootId(1)}-1`]: 'RUNNING',
    [`${rootId(2)}-1`]: 'FAILED',
    [`${rootId(3)}-1`]: 'ABORTED',
    [`${rootId(3)}-2`]: 'RUNNING',
    [`${rootId(4)}-1`]: 'TIMED_OUT',
    [`${rootId(4)}-2`]: 'TIMED_OUT',
    [`${rootId(5)}-1`]: 'FAILED',
  });
  for (const n of [1, 2, 3, 6]) await house.tasks.put(task(rootId(n)));
  await house.tasks.put(task(rootId(4), { generation: 2 }));
  await house.tasks.put(task(rootId(5), { state: 'completed' }));
  await look();
  expect(started.sort()).toEqual([`leaf ${rootId(2)}-2`, `leaf ${rootId(4)}-3`]);
  expect(attended.sort()).toEqual([rootId(1), rootId(3), rootId(6)]);
  expect(described.filter((one) => one.endsWith(`${rootId(4)}-1`) || one.endsWith(`${rootId(5)}-1`))).toEqual([]);
});

test('a review is looked for on its own machine', async () => {
  const id = `${rootId(1)}-r1-1`;
  const { house, attended, described, look } = houseOf({ [`${id}-1`]: 'RUNNING' });
  await house.tasks.put(review(id));
  await look();
  expect(described).toEqual([`review ${id}-1`, `review ${id}-2`]);
  expect(attended).toEqual([id]);
});

test('what three machines died of is lost, however many of them got as far as saving it', async () => {
  const { house, look } = houseOf({ [`${rootId(1)}-2`]: 'ABORTED', [`${rootId(1)}-3`]: 'ABORTED' });
  await house.tasks.put(task(rootId(1), { generation: 2, state: 'working' }));
  await look();
  const lost = await house.tasks.load(TENANT, rootId(1));
  const detail = 'its machine died 3 times, at last in state working';
  expect(lost).toMatchObject({ state: 'escalated', escalation: { reason: 'lost', detail } });
});

test('one that cannot be swept keeps no other from it, and is told', async () => {
  const dead = [12, 13, 14].map(rootId);
  const { house, started, look } = houseOf(Object.fromEntries(dead.map((id) => [`${id}-1`, 'FAILED' as const])));
  for (const id of dead) await house.tasks.put(task(id));
  await expect(look()).rejects.toThrow('it does not start');
  expect(started.sort()).toEqual([`leaf ${rootId(12)}-2`, `leaf ${rootId(14)}-2`]);
  expect((await house.tasks.unattended()).map(({ tenant, id }) => `${tenant} ${id}`)).toContain(
    `${TENANT} ${rootId(13)}`,
  );
});

test('a generation runs where the last one did, or in the other machine where that said so; whoever asks again is told the same', async () => {
  const [kept, changed, moved] = [1, 2, 3].map(rootId) as [string, string, string];
  const ran = {
    [`${kept}-1`]: { error: 'States.Runtime' },
    [`${changed}-1`]: { error: 'HcaOtherKind' },
    [`${moved}-2`]: { machine: 'coordinator' },
  };
  const dead = Object.fromEntries(Object.keys(ran).map((name) => [name, 'FAILED' as const]));
  const { house, started, look } = houseOf({ ...dead, [`${moved}-1`]: 'FAILED' }, ran);
  for (const id of [kept, changed, moved]) await house.tasks.put(task(id));
  for (const _time of [1, 2]) await look();
  const once = [`coordinator ${changed}-2`, `coordinator ${moved}-3`, `leaf ${kept}-2`];
  expect(started.sort()).toEqual([...once, ...once].sort());
});

test('a generation that saved its record and is not known any more is dead, one that saved none has not begun', async () => {
  const { house, started, attended, look } = houseOf({});
  await house.tasks.put(task(rootId(1), { generation: 1 }));
  await house.tasks.put(task(rootId(2)));
  await look();
  expect(started).toEqual([`leaf ${rootId(1)}-2`]);
  expect(attended).toEqual([rootId(2)]);
});
