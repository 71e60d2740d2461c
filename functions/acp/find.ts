// Which task a person means: an id, `last`, or an unambiguous beginning or end of one. What is not theirs does not exist.
import { HOME_OWNER, type Principal } from '#shared/contracts/acp-host.ts';
import { HcaFault } from '#shared/contracts/errors.ts';
import { RecordId } from '#shared/contracts/ids.ts';
import type { AnyRecord, TaskRecord } from '#shared/contracts/task.ts';
import type { RootRow, TasksRead } from '#shared/ports/tasks.ts';

/** The tasks of a person. */
export interface Shelf {
  principal: Pick<Principal, 'tenant' | 'subject'>;
  tasks: TasksRead;
}

/** Endings are looked for among this many newest tasks; a beginning is found in any number of them, by the index. */
const RECENT = 1000;
/** Sorts behind every id that begins like the prefix before it: no ULID character is larger than Z. */
const BEHIND = '~';

/** @throws HcaFault HcaNotFound, or HcaBadInput when several tasks fit the name. */
export const findTask = async (shelf: Shelf, name: string): Promise<TaskRecord> => {
  const id = await resolve(shelf, name);
  const task = await taskOf(shelf, await shelf.tasks.load(shelf.principal.tenant, id), name);
  if (isOwn(shelf, await rootOfTask(shelf, task))) return task;
  throw unknown(name);
};

/** The root task of whatever is named. */
export const findRoot = async (shelf: Shelf, name: string): Promise<TaskRecord> => {
  const task = await findTask(shelf, name);
  return (await rootOfTask(shelf, task)) ?? task;
};

/** Whether what lies below a root is this person's. */
export const isMine = async (shelf: Shelf, root: string): Promise<boolean> => {
  const record = await shelf.tasks.load(shelf.principal.tenant, root);
  return record?.kind === 'task' && isOwn(shelf, record);
};

const rootOfTask = async ({ principal, tasks }: Shelf, task: TaskRecord): Promise<TaskRecord | undefined> => {
  const root = task.root === task.id ? task : await tasks.load(principal.tenant, task.root);
  return root?.kind === 'task' ? root : undefined;
};

const isOwn = ({ principal }: Shelf, root: TaskRecord | undefined): boolean =>
  root !== undefined && (root.owner ?? HOME_OWNER) === principal.subject;

const resolve = async (shelf: Shelf, name: string): Promise<string> => {
  if (name === 'last') return newest(shelf);
  if (RecordId.safeParse(name).success) return name;
  const part = name.toUpperCase();
  if (RecordId.safeParse(part).success) return part;
  return only(await matches(shelf, part), name);
};

const newest = async ({ tasks, principal }: Shelf): Promise<string> => {
  const row = (await tasks.roots(principal.tenant, { limit: 1, owner: principal.subject }))[0];
  if (row !== undefined) return row.id;
  throw new HcaFault('HcaNotFound', {
    message: 'there is no task yet',
    field: 'task',
    remedy: 'start one with: hca run "make lint and tests pass"',
  });
};

const matches = async ({ tasks, principal }: Shelf, part: string): Promise<RootRow[]> => {
  const owner = principal.subject;
  const beginning = await tasks.roots(principal.tenant, { limit: 2, owner, before: part + BEHIND });
  const ending = await tasks.roots(principal.tenant, { limit: RECENT, owner });
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
const taskOf = async (shelf: Shelf, record: AnyRecord | undefined, name: string): Promise<TaskRecord> => {
  if (record === undefined) throw unknown(name);
  if (record.kind === 'task') return record;
  return taskOf(shelf, await shelf.tasks.load(shelf.principal.tenant, record.task), name);
};

const unknown = (name: string): HcaFault =>
  new HcaFault('HcaNotFound', { message: `there is no task "${name}"`, field: 'task', remedy: 'hca tasks lists them' });
