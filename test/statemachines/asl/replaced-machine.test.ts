// A home of when one machine ran every task: what it ran keeps its history, what was open has ended and is told so (docs/decisions/0047).
import { expect, test } from 'vitest';
import { createAsl } from '#local/asl/create-asl.ts';
import type { StatusChange } from '#local/asl/runner.ts';
import { MACHINE_MIGRATIONS, machineFiles } from '#local/machines.ts';
import { STEPS } from '#shared/contracts/steps.ts';
import { migrated } from './rig.ts';

const functions = Object.fromEntries(Object.keys(STEPS).map((name) => [name, name]));

test('an execution of it is one of the machine of its kind, and an open one is announced as aborted', async () => {
  const db = migrated();
  const insert = db.prepare(
    'INSERT INTO asl_executions (machine, name, input, status, started, owed) VALUES (?,?,?,?,?,?)',
  );
  const rows = [
    ['task', 'open-leaf-1', 'RUNNING', 1],
    ['task', 'open-parent-1', 'RUNNING', 1],
    ['task', 'over-1', 'SUCCEEDED', 0],
    ['review', 'review-1', 'SUCCEEDED', 0],
  ] as const;
  for (const [machine, name, status, owed] of rows)
    insert.run(machine, name, '{"tenant":"local","task":"T"}', status, 1, owed);
  const chosen = db.prepare("INSERT INTO asl_visits VALUES (?, '', 2, 'Kind', 'Choice', 1, 1, ?, '{}', NULL, NULL)");
  for (const [id, next] of [
    [1, 'Work'],
    [2, 'Wave'],
    [3, 'Wave'],
  ] as const)
    chosen.run(id, next);
  for (const sql of MACHINE_MIGRATIONS) db.exec(sql);
  const told: StatusChange[] = [];
  const invoke = () => Promise.reject(new Error('nothing is gone on with'));
  const asl = createAsl({ db, machines: machineFiles(), functions, invoke, onStatus: (change) => told.push(change) });
  asl.resume();
  await asl.idle();
  expect(told.map(({ machine, name, status }) => `${machine} ${name} ${status}`)).toEqual([
    'leaf open-leaf-1 ABORTED',
    'coordinator open-parent-1 ABORTED',
  ]);
  expect(asl.describe({ machine: 'coordinator', name: 'over-1' })).toMatchObject({ status: 'SUCCEEDED', error: null });
  expect(asl.describe({ machine: 'leaf', name: 'open-leaf-1' })).toMatchObject({ error: 'States.Aborted' });
  expect(asl.describe({ machine: 'review', name: 'review-1' })?.status).toBe('SUCCEEDED');
  expect(asl.open()).toEqual([]);
  await asl.close();
});
