// The watches of one WebSocket: each replays a task's journal from its cursor, then follows it. Entries only wake a watch; what it sends
// is always read from the journal, so nothing is missed and nothing sent twice.
import type { WebSocket } from 'ws';
import { type Peer, respond } from '#functions/acp/step.ts';
import { JournalSlice } from '#shared/contracts/acp-task.ts';
import type { LocalDoor } from './door.ts';

/** More watches than this on one connection are a mistake of its client. */
const MOST = 64;
const PAGE = 200;

/** What is watched, and from where on. */
export interface Watch {
  task: string;
  cursor: string;
}

/** Starts watches on a connection; all end with it. */
export const watchesOf = (
  socket: WebSocket,
  { follow, peer }: Pick<Running, 'follow' | 'peer'>,
): { start(watch: Watch): void } => {
  const running = new Set<() => void>();
  socket.once('close', () => {
    for (const stop of running) stop();
  });
  return {
    start: (watch) => {
      if (running.size >= MOST) socket.close(1008, 'too many watches on one connection');
      else startWatch({ socket, follow, peer, watch, running });
    },
  };
};

interface Running {
  socket: WebSocket;
  follow: LocalDoor['follow'];
  /** Whose watch it is, as the connection stands now. */
  peer(): Peer;
  watch: Watch;
  /** How to stop each watch of the connection that is not over. */
  running: Set<() => void>;
}

/** Reads and sends until nothing is left, then sleeps until an entry of the task wakes it; one reader at a time. */
const startWatch = ({ socket, follow, peer, watch, running }: Running): void => {
  const state = { isStale: true, isBusy: false, isOver: false };
  const stop = (): void => {
    state.isOver = true;
    running.delete(stop);
    unfollow();
  };
  const wake = async (): Promise<void> => {
    state.isStale = true;
    if (state.isBusy) return;
    state.isBusy = true;
    while (state.isStale && !state.isOver) {
      state.isStale = false;
      const next = await sendPage({ socket, peer, watch });
      if (next === 'over') stop();
      state.isStale ||= next === 'more';
    }
    state.isBusy = false;
  };
  const unfollow = follow((entry) => {
    if (entry.root === watch.task) void wake();
  });
  running.add(stop);
  void wake();
};

/** Sends the next page, if there is anything in it, and moves the watch's cursor behind it. */
const sendPage = async ({
  socket,
  peer,
  watch,
}: Pick<Running, 'socket' | 'peer' | 'watch'>): Promise<'more' | 'drained' | 'over'> => {
  const slice = await readPage(peer(), watch);
  if (slice === undefined) {
    socket.close(1011, 'the journal could not be read, or the token has expired');
    return 'over';
  }
  watch.cursor = slice.cursor;
  if (slice.entries.length > 0 || slice.done) await send(socket, slice);
  if (slice.done) return 'over';
  return slice.entries.length === PAGE ? 'more' : 'drained';
};

const readPage = async (peer: Peer, watch: Watch): Promise<JournalSlice | undefined> => {
  const params = { task: watch.task, cursor: watch.cursor, limit: PAGE };
  // What we read to push is no request of theirs, and counts for none.
  const { throttle: _uncounted, ...door } = peer.door;
  const frame = { jsonrpc: '2.0' as const, id: null, method: '_hca/task/journal', params };
  const answer = await respond(frame, { ...peer, door });
  return 'result' in answer ? JournalSlice.parse(answer.result) : undefined;
};

/** Resolves when the frame was handed to the network, so that a slow watcher slows down its own watch and nothing else. */
const send = (socket: WebSocket, slice: JournalSlice): Promise<void> =>
  new Promise((resolve) => {
    socket.send(JSON.stringify({ jsonrpc: '2.0', method: '_hca/task/update', params: slice }), () => resolve());
  });
