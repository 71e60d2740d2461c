// The WebSocket of a watch: its events as a queue that is read one by one.
import * as z from 'zod';
import { JournalSlice } from '#shared/contracts/acp-task.ts';
import type { HcaFault } from '#shared/contracts/errors.ts';
import { type ReadFrame, readFrame } from '#shared/protocols/acp/frame.ts';
import { type DoorAddress, faultOf, unreachable } from './address.ts';

/** Notification that carries a page of the journal. */
const UPDATE = '_hca/task/update';
/** A network that swallows the upgrade says nothing at all. */
const OPEN_MS = 10_000;

export interface Inbox {
  /** The next page in order; undefined once it was closed here. */
  next(): Promise<JournalSlice | undefined>;
  close(): void;
}

type Arrival = { slice: JournalSlice } | { fault: HcaFault } | { closed: true };

/** Opens a socket and asks it to watch; undefined when no WebSocket gets through. */
export const openInbox = async (
  address: DoorAddress,
  params: { task: string; cursor: string },
): Promise<Inbox | undefined> => {
  const { url, protocols } = await address.proof.socket(address.socket);
  const socket = new WebSocket(url, protocols);
  const inbox = inboxOf(socket, address);
  if (!(await opens(socket))) return undefined;
  socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: '_hca/task/watch', params }));
  return inbox;
};

const opens = (socket: WebSocket): Promise<boolean> =>
  new Promise((resolve) => {
    const timer = setTimeout(() => {
      resolve(false);
      socket.close();
    }, OPEN_MS);
    const end = (isOpen: boolean) => () => {
      clearTimeout(timer);
      resolve(isOpen);
    };
    socket.addEventListener('open', end(true));
    socket.addEventListener('error', end(false));
    socket.addEventListener('close', end(false));
  });

const inboxOf = (socket: WebSocket, address: DoorAddress): Inbox => {
  const queue: Arrival[] = [];
  let wake = (): void => undefined;
  const arrive = (arrival: Arrival): void => {
    queue.push(arrival);
    wake();
  };
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
