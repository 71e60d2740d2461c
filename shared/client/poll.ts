// A task's journal by asking for it: what was written since comes with the next question.
import type { JournalSlice } from '#shared/contracts/acp-task.ts';
import type { WatchFrom } from './address.ts';

/** `page`: the next page of a task's journal, asked for; `pause`: ms between two questions that brought nothing. */
export interface Polled {
  pause: number;
  page(cursor: string): Promise<JournalSlice>;
}

/** Pages of the journal until the task is over. @throws HcaFault of the door, HcaUnavailable when it does not answer. */
export async function* pollTask(
  { cursor = '', signal }: WatchFrom,
  { page, pause }: Polled,
): AsyncGenerator<JournalSlice, void, undefined> {
  for (let at = cursor; signal?.aborted !== true; ) {
    const slice = await page(at);
    at = slice.cursor;
    const isEmpty = slice.entries.length === 0;
    if (!isEmpty || slice.done) yield slice;
    if (slice.done) return;
    if (isEmpty) await rest(pause, signal);
  }
}

/** Ends early when nobody watches any more. */
const rest = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve) => {
    const over = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', over);
      resolve();
    };
    const timer = setTimeout(over, ms);
    signal?.addEventListener('abort', over, { once: true });
  });
