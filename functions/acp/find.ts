// Which task a person means: an id, `last`, or an unambiguous beginning or end of one. What is not the tenant's does not exist.
import { HcaFault } from '#shared/contracts/errors.ts';
import { RecordId } from '#shared/contracts/ids.ts';
import type { AnyRecord, TaskRecord } from '#shared/contracts/task.ts';
import type { RootRow, TasksRead } from '#shared/ports/tasks.ts';

/** A tenant's tasks. */
export interface Shelf {
  tenant: string;
  tasks: TasksRead;
}

/** Endings are looked for among this many newest tasks; a beginning is found in any number of them, by the index. */
const RECENT = 1000;
/** Sorts behind every id that begins like the prefix before it: no ULID character is larger than Z. */
const BEHIND = '~';

/** @throws HcaFault HcaNotFound, or HcaBadInput when several tasks fit the name. */
export const findTask = async (shelf: Shelf, name: string): Promise<TaskRecord> => {
  const id = await resolve(shelf, name);
  const record = await shelf.tasks.load(shelf.tenant, id);
  return ownTask(shelf, record, name);
};

/** The root task of whatever is named. */
export const findRoot = async (shelf: Shelf, name: string): Promise<TaskRecord> => {
  const task = await findTask(shelf, name);
  return task.root === task.id ? task : ownTask(shelf, await shelf.tasks.load(shelf.tenant, task.root), name);
};

const resolve = async (shelf: Shelf, name: string): Promise<string> => {
  if (name === 'last') return newest(shelf);
  if (RecordId.safeParse(name).success) return name;
  const part = name.toUpperCase();
  if (RecordId.safeParse(part).success) return part;
  return only(await matches(shelf, part), name);
};

const newest = async ({ tasks, tenant }: Shelf): Promise<string> => {
  const row = (await tasks.roots(tenant, { limit: 1 }))[0];
  if (row !== undefined) return row.id;
  throw new HcaFault('HcaNotFound', {
    message: 'there is no task yet',
    field: 'task',
    remedy: 'start one with: hca run "make lint and tests pass"',
  });
};

const matches = async ({ tasks, tenant }: Shelf, part: string): Promise<RootRow[]> => {
  const beginning = await tasks.roots(tenant, { limit: 2, before: part + BEHIND });
  const ending = await tasks.roots(tenant, { limit: RECENT });
  const found = new Map([
    ...beginning.filter((row) => row.id.startsWith(part)).map((row) => [row.id, row] as const),
    ...ending.filter((row) => row.id.endsWith(part)).map((row) => [row.id, row] as const),
  ]);
  return [...found.values()];
};

const only = (rows: RootRow[], name: string): string => {
  const [first, second] = rows;
  if (first === undefined) throw unknown(name);
  if (second === undefined) return first.id;
  throw new HcaFault('HcaBadInput', {
    message: `"${name}" fits more than one task: ${rows
      .slice(0, 4)
      .map((row) => row.id)
      .join(', ')}`,
    field: 'task',
    remedy: 'give more characters of the id',
  });
};

/** A review or a delegation stands for the task it belongs to. */
const ownTask = async (shelf: Shelf, record: AnyRecord | undefined, name: string): Promise<TaskRecord> => {
  if (record === undefined) throw unknown(name);
  if (record.kind === 'task') return record;
  return ownTask(shelf, await shelf.tasks.load(shelf.tenant, record.task), name);
};

const unknown = (name: string): HcaFault =>
  new HcaFault('HcaNotFound', { message: `there is no task "${name}"`, field: 'task', remedy: 'hca tasks lists them' });
