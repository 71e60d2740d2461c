// From a position in a session to its end: every event, and between them every entry of the tasks it began, in the order in which they
// happened. The same walk serves a live connection and a replay, so that both show the same.
import type * as Acp from '#shared/contracts/acp-session.ts';
import type { Entry } from '#shared/contracts/journal.ts';
import { TaskState } from '#shared/contracts/task.ts';
import { isTerminal } from '#shared/domain/lifecycle.ts';
import type { JournalRead } from '#shared/ports/journal.ts';
import { eventOf } from './events.ts';

const PAGE = 200;

/** Where to read, and what to do with what is found. */
export interface Reading {
  tenant: string;
  session: string;
  journal: JournalRead;
  event(event: Acp.SessionEvent): Promise<void>;
  entry(entry: Entry): Promise<void>;
}

/**
 * Reads to the end and answers with the position there. What an event follows from was written before it: so the tasks are read once more
 * after an event was found, and only then is it shown.
 */
export const readOn = async (from: Acp.Position, reading: Reading): Promise<Acp.Position> => {
  let position = await readTasks(from, reading);
  for (;;) {
    const page = { cursor: position.session, limit: 1 };
    const { entries, cursor } = await reading.journal.read(reading.tenant, reading.session, page);
    const [note] = entries;
    if (note === undefined) return position;
    position = { ...(await readTasks(position, reading)), session: cursor };
    const event = eventOf(note);
    if (event !== undefined) position = await show(position, event, reading);
  }
};

const show = async (position: Acp.Position, event: Acp.SessionEvent, reading: Reading): Promise<Acp.Position> => {
  await reading.event(event);
  if (event.event !== 'task') return position;
  const { turn, task } = event;
  return readTasks({ ...position, tasks: [...position.tasks, { turn, task, cursor: '' }] }, reading);
};

const readTasks = async (position: Acp.Position, reading: Reading): Promise<Acp.Position> => {
  const tasks: Acp.Position['tasks'] = [];
  for (const task of position.tasks) {
    const next = await readTask(task, reading);
    if (next !== undefined) tasks.push(next);
  }
  return { ...position, tasks };
};

type Following = Acp.Position['tasks'][number];

/** Undefined once the root is over: what its messages still stir is of no interest to a client. */
const readTask = async (following: Following, reading: Reading): Promise<Following | undefined> => {
  let { cursor } = following;
  for (;;) {
    const page = await reading.journal.read(reading.tenant, following.task, { cursor, limit: PAGE });
    for (const entry of page.entries) {
      await reading.entry(entry);
      if (isEnd(entry)) return undefined;
    }
    cursor = page.cursor;
    if (page.entries.length < PAGE) return { ...following, cursor };
  }
};

const isEnd = (entry: Entry): boolean => {
  const state = TaskState.safeParse(entry.state);
  return entry.kind === 'task' && entry.record === entry.root && state.success && isTerminal(state.data);
};
