// Follows a task to its end over any number of lost connections: the cursor says where to go on, so nothing is shown twice or left out.
import { setTimeout as pause } from 'node:timers/promises';
import type { Door } from '#shared/client/door.ts';
import { isFault } from '#shared/contracts/errors.ts';
import type { Entry } from '#shared/contracts/journal.ts';
import type { App } from './app.ts';
import { onInterrupt } from './interrupt.ts';
import { DETACHED } from './topics.ts';

export interface FollowOptions {
  task: string;
  /** Called with each entry, in order, once, and the door it came through. */
  entry(entry: Entry, door: Door): void | Promise<void>;
  /** Something to tell the person beside the entries. */
  say(text: string): void;
}

/** Connections lost one after the other, without an entry in between, before it is given up. */
const MOST_LOSSES = 5;

/** Resolves when the task is over, or the person has detached with Ctrl-C. @throws HcaFault when the host cannot be reached any more. */
export const follow = async (app: App, options: FollowOptions): Promise<'over' | 'detached'> => {
  const gone = new AbortController();
  // For an end that nobody waits for (the reader of our output has gone): never "accepted" while the task is open.
  process.exitCode = DETACHED;
  const interrupts = onInterrupt({
    first: () =>
      options.say(`Detaching; the task goes on. Come back: hca watch ${options.task} · Ctrl-C again: cancel it`),
    cancel: () => void cancel(app, options),
  });
  try {
    return await Promise.race([interrupts.detached, watchToTheEnd(app, options, gone.signal)]);
  } finally {
    process.exitCode = undefined;
    gone.abort();
    interrupts.stop();
  }
};

const watchToTheEnd = async (app: App, options: FollowOptions, signal: AbortSignal): Promise<'over'> => {
  const state = { cursor: '', losses: 0 };
  for (;;) {
    try {
      await watchOnce(await app.door(), options, { state, signal });
      return 'over';
    } catch (error) {
      state.losses += 1;
      if (!isFault(error) || error.code !== 'HcaUnavailable' || state.losses > MOST_LOSSES) throw error;
      await pause(100 * state.losses);
    }
  }
};

type Place = { state: { cursor: string; losses: number }; signal: AbortSignal };

const watchOnce = async (door: Door, options: FollowOptions, { state, signal }: Place): Promise<void> => {
  for await (const slice of door.watch(options.task, { cursor: state.cursor, signal })) {
    state.cursor = slice.cursor;
    state.losses = 0;
    for (const entry of slice.entries) await options.entry(entry, door);
  }
};

const cancel = async (app: App, options: FollowOptions): Promise<void> => {
  options.say('Cancelling the task and everything below it…');
  try {
    const door = await app.door();
    await door.call('_hca/task/cancel', { task: options.task, cause: 'cancelled with Ctrl-C' });
  } catch (error) {
    options.say(`It could not be cancelled: ${error instanceof Error ? error.message : String(error)}`);
  }
};
