// A task that is over and owes its lesson is found by sweep on DynamoDB too, until it is paid, and nowhere else (L3-KBC-01).
import { expect, onTestFinished, test } from 'vitest';
import { dynamoTasks } from '#shared/adapters/aws/dynamo-tasks.ts';
import { systemClock } from '#shared/adapters/local/system-clock.ts';
import { rootId, TENANT, task } from '../suites/samples.ts';
import { openRig } from './rig.ts';

test('it is unattended while it owes, and counts as over', async () => {
  const rig = await openRig(['tasks']);
  onTestFinished(() => rig.close());
  const time = { now: 1_700_000_000_000 };
  const tasks = dynamoTasks(
    rig.table('tasks'),
    systemClock(() => time.now),
  );
  const over = { state: 'completed', ended_at: 1, version: 1 } as const;
  await tasks.save(task(rootId(1), { ...over, lesson_pending: true }), 0);
  await tasks.save(task(rootId(2), over), 0);
  time.now += 3_600_000;
  expect(await tasks.unattended()).toEqual([{ tenant: TENANT, id: rootId(1) }]);
  expect(await tasks.openOf(TENANT, 'code')).toBe(0);
  expect(await tasks.roots(TENANT, { limit: 9, open: true })).toEqual([]);
  await tasks.save(task(rootId(1), { ...over, lesson: `lesson-${rootId(1)}` }), 1);
  expect(await tasks.unattended()).toEqual([]);
});
