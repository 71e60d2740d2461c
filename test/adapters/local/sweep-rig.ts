// What the tests of sweeping stand on: a house on disk whose tools do nothing, and a look at everything it stores.
import { readdirSync, statSync, utimesSync } from 'node:fs';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { createRuntime, type Runtime } from '#local/runtime.ts';
import { sweepHome } from '#local/sweep-home.ts';
import { FilesWorkspaces } from '#shared/adapters/local/files-workspaces.ts';
import type { TaskRecord } from '#shared/contracts/task.ts';
import { newTask } from '#shared/domain/records.ts';
import { noOpHolarchy, noOpOutside } from '#test/support/no-op-house.ts';
import { submit, TENANT, taskOf } from '#test/support/submit.ts';
import { newHome } from './home.ts';

/** Every column that may hold the id of something below a root. */
const PLACES = [
  ['records', 'id'],
  ['journal', 'root'],
  ['waits', 'task'],
  ['marks', 'record'],
  ['ledgers', 'task'],
  ['inbox', 'message'],
  ['messages', 'id'],
  ['dead_letters', 'id'],
  ['artifacts', 'root'],
  ['asl_executions', 'name'],
] as const;

/** `gc` takes every task that is over. */
export const openHouse = async () => {
  const home = newHome();
  const workspaces = new FilesWorkspaces(path.join(home, 'workspaces'));
  const house = createRuntime({ folder: home, outside: () => noOpOutside(() => 'done') });
  onTestFinished(() => house.close());
  await house.storage.holons.load(TENANT, noOpHolarchy);
  house.start();
  const sessions = { names: (): string[] => [], trees: (): string[] => [] };
  const gc = () => sweepHome(house, { workspaces, sandbox: { sweep: async () => [] }, sessions }, -1);
  return { home, house, workspaces, gc };
};

/** A task from its offer to its end. */
export const end = async (house: Runtime): Promise<TaskRecord> => {
  const id = await submit(house, { goal: 'take the turn' });
  await house.idle();
  return taskOf(house, id);
};

/** A task that nobody has answered yet, which goes on from another one's artifact on a snapshot. */
export const openBeside = async (house: Runtime, from: TaskRecord, tree: string): Promise<string> => {
  const id = house.ports.clock.ulid();
  const workspace = { root: '/somewhere', tree, dirty: false };
  const spec = {
    ...from.spec,
    start_from: from.result?.artifact ?? null,
    workspace: { ...workspace, ...from.spec.workspace },
  };
  const origin = {
    from: 'user',
    parent: null,
    continues: from.id,
    state: 'submitted' as const,
    machine: 'coordinator' as const,
  };
  const record = newTask({ tenant: TENANT, id, holon: 'root', now: 1 }, origin, {
    spec,
    constraints: from.constraints,
  });
  await house.ports.tasks.put(record);
  await house.ports.ledger.open(TENANT, id, from.constraints.budget);
  await house.ports.marks.set(TENANT, id, 'test');
  return id;
};

/** How many rows of each table belong to a root. */
export const rowsOf = ({ storage: { db } }: Runtime, root: string): Record<string, number> =>
  Object.fromEntries(
    PLACES.map(([table, column]) => {
      const row = db.get(`SELECT count(*) AS n FROM ${table} WHERE ${column} >= ? AND ${column} < ?`, [
        root,
        `${root}~`,
      ]);
      return [table, Number(row?.n)];
    }),
  );

/** Every file of bytes, with its size. */
export const filesOf = (home: string): Map<string, number> =>
  new Map(
    ['artifacts', 'workspaces'].flatMap((folder) =>
      readdirSync(path.join(home, folder), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => path.join(entry.parentPath, entry.name))
        .map((file): [string, number] => [file, statSync(file).size]),
    ),
  );

/** As if all of it had been written yesterday. */
export const age = (home: string): void => {
  const yesterday = new Date(Date.now() - 86_400_000);
  for (const file of filesOf(home).keys()) utimesSync(file, yesterday, yesterday);
};

export const NOTHING = Object.fromEntries(PLACES.map(([table]) => [table, 0]));
