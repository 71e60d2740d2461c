// From a position in a session to its end: every event, and between them every entry of the tasks it began, in the order in which they
// happened. The same walk serves a live connection and a replay, so that both show the same.
import type { Position } from '#shared/contracts/acp-session.ts';
import type { SessionEvent } from '#shared/contracts/acp-session-events.ts';
import type { Entry } from '#shared/contracts/journal.ts';
import { TaskState } from '#shared/contracts/task.ts';
import { isTerminal } from '#shared/domain/lifecycle.ts';
import type { JournalRead } from '#shared/ports/journal.ts';
import { eventOf } from './events.ts';

const PAGE = 200;

export type Following = Position['tasks'][number];

/** Where to read. */
export interface Place {
  tenant: string;
  session: string;
  journal: JournalRead;
}

/** Where to read, and what to do with what is found. `page`: entries of a task were shown that is not over yet; `reached`: all before this position was handled. */
export interface Reading extends Place {
  event(event: SessionEvent): Promise<void>;
  entry(entry: Entry): Promise<void>;
  page?(following: Following): Promise<Following>;
  reached?(position: Position): void;
}

/**
 * Reads to the end and answers with the position there. What an event follows from was written before it: so the tasks are read once more
 * after an event was found, and only then is it shown.
 */
export const readOn = async (from: Position, reading: Reading): Promise<Position> => {
  let position = await readTasks(from, reading);
  for (;;) {
    const page = { cursor: position.session, limit: 1 };
    const { entries, cursor } = await reading.journal.read(reading.tenant, reading.session, page);
    const [note] = entries;
    if (note === undefined) return position;
    position = await readTasks(position, reading);
    const event = eventOf(note);
    if (event !== undefined) await reading.event(event);
    position = begun({ ...position, session: cursor }, event);
    reading.reached?.(position);
    if (event?.event === 'task') position = await readTasks(position, reading);
  }
};

/** Whether a walk from here would find anything. */
export const hasMore = async (from: Position, { tenant, session, journal }: Place): Promise<boolean> => {
  const places = [
    { root: session, cursor: from.session },
    ...from.tasks.map(({ task, cursor }) => ({ root: task, cursor })),
  ];
  for (const { root, cursor } of places) {
    if ((await journal.read(tenant, root, { cursor, limit: 1 })).entries.length > 0) return true;
  }
  return false;
};

/** A task that was begun is followed from its first entry on. */
const begun = (position: Position, event: SessionEvent | undefined): Position => {
  if (event?.event !== 'task') return position;
  const { turn, task } = event;
  return { ...position, tasks: [...position.tasks, { turn, task, cursor: '' }] };
};

const readTasks = async (from: Position, reading: Reading): Promise<Position> => {
  let position = from;
  for (const { task } of from.tasks) position = await readTask(position, task, reading);
  return position;
};

/** A root that is over is followed no more: what its messages still stir is of no interest to a client. */
const readTask = async (from: Position, task: string, reading: Reading): Promise<Position> => {
  let position = from;
  for (;;) {
    const following = position.tasks.find((other) => other.task === task);
    const page = { cursor: following?.cursor ?? '', limit: PAGE };
    const { entries, cursor } = await reading.journal.read(reading.tenant, task, page);
    const isOver = await showEntries(entries, reading);
    const next =
      isOver || following === undefined ? null : await after({ ...following, cursor }, entries.length, reading);
    position = { ...position, tasks: moved(position.tasks, task, next) };
    reading.reached?.(position);
    if (isOver || entries.length < PAGE) return position;
  }
};

/** Whether the last entry of the root was among them. */
const showEntries = async (entries: readonly Entry[], reading: Reading): Promise<boolean> => {
  for (const entry of entries) {
    await reading.entry(entry);
    if (isEnd(entry)) return true;
  }
  return false;
};

const after = async (following: Following, shown: number, { page }: Reading): Promise<Following> =>
  shown === 0 || page === undefined ? following : page(following);

const moved = (tasks: Following[], task: string, next: Following | null): Following[] =>
  tasks.flatMap((other) => {
    if (other.task !== task) return [other];
    return next === null ? [] : [next];
  });

const isEnd = (entry: Entry): boolean => {
  const state = TaskState.safeParse(entry.state);
  return entry.kind === 'task' && entry.record === entry.root && state.success && isTerminal(state.data);
};
