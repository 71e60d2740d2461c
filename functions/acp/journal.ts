// What happened, a page at a time, from an opaque cursor; a watch is the same question asked again when something was written.
import type { JournalSlice } from '#shared/contracts/acp-task.ts';
import type { TaskRecord } from '#shared/contracts/task.ts';
import { isTerminal } from '#shared/domain/lifecycle.ts';
import { findRoot } from './find.ts';
import type { DoorPorts, Handler } from './ports.ts';

export const readJournal: Handler<'_hca/task/journal'> = async ({ params, principal, door }) => {
  const { tasks } = door.ports;
  const task = await findRoot({ principal, tasks }, params.task);
  return slice(door, task, params);
};

/** Checks what is to be watched; the pages are pushed by the host that holds the connection. */
export const watchTask: Handler<'_hca/task/watch'> = async ({ params, principal, door }) => {
  const { tasks } = door.ports;
  const task = await findRoot({ principal, tasks }, params.task);
  return { task: task.id, cursor: params.cursor };
};

/**
 * Whether the journal is complete is asked *before* the page is read: whatever is written in between makes the page longer,
 * never the answer wrong. A terminal record alone is not enough, because its entry is the last thing that is written.
 */
const slice = async (
  { ports }: DoorPorts,
  task: TaskRecord,
  page: { cursor: string; limit: number },
): Promise<JournalSlice> => {
  const complete = isTerminal(task.state) && (await ports.journal.has(task.tenant, task.id, task.version));
  const { entries, cursor } = await ports.journal.read(task.tenant, task.id, page);
  return { task: task.id, entries, cursor, done: complete && entries.length < page.limit };
};
