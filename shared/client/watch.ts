// Follows a task over WebSocket. A lost connection is a fault that the caller answers by watching again from its last cursor.
import * as z from 'zod';
import { JournalSlice } from '#shared/contracts/acp-task.ts';
import type { HcaFault } from '#shared/contracts/errors.ts';
import { type ReadFrame, readFrame } from '#shared/protocols/acp/frame.ts';
import { type DoorAddress, faultOf, unreachable, type WatchFrom } from './address.ts';

/** Notification that carries a page of the journal. */
const UPDATE = '_hca/task/update';

/** Browsers cannot set headers on a WebSocket: the token travels as a subprotocol, never in the URL. */
export const SUBPROTOCOL = 'hca.v1';
export const TOKEN_PREFIX = 'hca.bearer.';

/** Pages of the journal until the task is over. @throws HcaFault of the door, HcaUnavailable when the connection is lost. */
export async function* watchTask(
  address: DoorAddress,
  task: string,
  from: WatchFrom,
): AsyncGenerator<JournalSlice, void, undefined> {
  const inbox = openInbox(address, { task, cursor: from.cursor ?? '' });
  const stop = (): void => inbox.close();
  from.signal?.addEventListener('abort', stop, { once: true });
  try {
    for (;;) {
      const slice = await inbox.next();
      if (slice === undefined || from.signal?.aborted === true) return;
      yield slice;
      if (slice.done) return;
    }
  } finally {
    from.signal?.removeEventListener('abort', stop);
    inbox.close();
  }
}

interface Inbox {
  /** The next page in order; undefined once it was closed here. */
  next(): Promise<JournalSlice | undefined>;
  close(): void;
}

type Arrival = { slice: JournalSlice } | { fault: HcaFault } | { closed: true };

/** Turns the socket's events into a queue that is read one by one. */
const openInbox = (address: DoorAddress, params: { task: string; cursor: string }): Inbox => {
  const queue: Arrival[] = [];
  let wake = (): void => undefined;
  const arrive = (arrival: Arrival): void => {
    queue.push(arrival);
    wake();
  };
  const url = `${address.url.replace(/^http/, 'ws')}/acp`;
  const socket = new WebSocket(url, [SUBPROTOCOL, `${TOKEN_PREFIX}${address.token}`]);
  socket.addEventListener('open', () => {
    socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: '_hca/task/watch', params }));
  });
  socket.addEventListener('message', (event) => {
    const arrival = read(readFrame(String(event.data)));
    if (arrival !== undefined) arrive(arrival);
  });
  socket.addEventListener('error', (event) => arrive({ fault: unreachable(address, event) }));
  socket.addEventListener('close', () => arrive({ fault: unreachable(address, 'the connection was closed') }));
  return {
    next: async () => {
      while (queue.length === 0) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      return take(queue.shift());
    },
    close: () => {
      arrive({ closed: true });
      socket.close();
    },
  };
};

const take = (arrival: Arrival | undefined): JournalSlice | undefined => {
  if (arrival === undefined || 'closed' in arrival) return undefined;
  if ('fault' in arrival) throw arrival.fault;
  return arrival.slice;
};

const Update = z.object({ method: z.literal(UPDATE), params: JournalSlice });

const read = (frame: ReadFrame): Arrival | undefined => {
  if (frame.kind === 'answer' && 'error' in frame.frame) return { fault: faultOf(frame.frame.error) };
  if (frame.kind !== 'notification') return undefined;
  const update = Update.safeParse(frame.frame);
  return update.success ? { slice: update.data.params } : undefined;
};
