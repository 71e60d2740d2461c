// Follows a task: pushed over WebSocket, or asked for again and again where no WebSocket gets through (some networks let only requests pass).
// A lost connection is a fault that the caller answers by watching again from its last cursor.
import type { JournalSlice } from '#shared/contracts/acp-task.ts';
import type { DoorAddress, WatchFrom } from './address.ts';
import { type Polled, pollTask } from './poll.ts';
import { type Inbox, openInbox } from './watch-inbox.ts';

/** Pages of the journal until the task is over. @throws HcaFault of the door, HcaUnavailable when the connection is lost. */
export async function* watchTask(
  address: DoorAddress,
  from: WatchFrom,
  watched: Polled & { task: string },
): AsyncGenerator<JournalSlice, void, undefined> {
  const inbox = await openInbox(address, { task: watched.task, cursor: from.cursor ?? '' });
  if (inbox === undefined) return yield* pollTask(from, watched);
  const stop = (): void => inbox.close();
  from.signal?.addEventListener('abort', stop, { once: true });
  try {
    yield* pushed(inbox, from.signal);
  } finally {
    from.signal?.removeEventListener('abort', stop);
    inbox.close();
  }
}

async function* pushed(inbox: Inbox, signal: AbortSignal | undefined): AsyncGenerator<JournalSlice, void, undefined> {
  for (;;) {
    const slice = await inbox.next();
    if (slice === undefined || signal?.aborted === true) return;
    yield slice;
    if (slice.done) return;
  }
}
