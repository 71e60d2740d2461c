// The minute schedule of `sweep`: whatever may have lost its machine is looked at, the dead are swept, the living attended (architecture section 3).
import { expect, onTestFinished, test } from 'vitest';
import { sweep } from '#functions/sweep/step.ts';
import { localPorts } from '#shared/adapters/local/ports.ts';
import type { StepPorts } from '#shared/ports/index.ts';
import type { ExecutionStatus } from '#shared/ports/world.ts';
import { review, rootId, TENANT, task } from '#test/adapters/suites/samples.ts';

const LOOK = { tenant: '', machine: null, execution: null, status: null, turn: 0, entering: true };

/** A house in which these executions are known, by name. */
const houseOf = (executions: Record<string, ExecutionStatus['status']>) => {
  const house = localPorts({ folder: ':memory:' });
  onTestFinished(() => house.close());
  const started: string[] = [];
  const attended: string[] = [];
  const described: string[] = [];
  const workflows = {
    describe: async (machine: string, name: string) => {
      described.push(`${machine} ${name}`);
      const status = executions[name];
      return status === undefined ? undefined : { status, started_at: 0, ended_at: null };
    },
    start: async (_machine: string, name: string) => {
      if (name.startsWith(rootId(13))) throw new Error('it does not start');
      started.push(name);
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
  expect(started.sort()).toEqual([`${rootId(2)}-2`, `${rootId(4)}-3`]);
  expect(attended.sort()).toEqual([rootId(1), rootId(3), rootId(6)]);
  expect(described).not.toContain(`task ${rootId(4)}-1`);
  expect(described).not.toContain(`task ${rootId(5)}-1`);
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
  expect(started.sort()).toEqual([`${rootId(12)}-2`, `${rootId(14)}-2`]);
  expect((await house.tasks.unattended()).map(({ tenant, id }) => `${tenant} ${id}`)).toContain(
    `${TENANT} ${rootId(13)}`,
  );
});
