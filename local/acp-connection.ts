// One ACP connection as the embedded host holds it: frames and wake-ups one after another, and nothing that another process would need. What is
// kept here (who to wake, when) is a hint; losing it loses nothing (architecture 2).
import { randomUUID } from 'node:crypto';
import { type Peer, pump, receive, renew, type Wake } from '#functions/acp/step.ts';
import { isFault } from '#shared/contracts/errors.ts';
import type { ReadFrame } from '#shared/protocols/acp/frame.ts';
import type { LocalDoor } from './door.ts';
import type { Caller } from './gate.ts';

export interface AcpConnectionOptions {
  local: LocalDoor;
  caller: Caller;
  /** Resolves when the frame was handed to the network, so that a slow client slows down its own connection and nothing else. */
  send: Peer['send'];
  /** Something is broken for good: the transport ends, and the client comes back with `session/load`. */
  broken(error: unknown): void;
}

export interface AcpConnection {
  readonly id: string;
  readonly peer: Peer;
  /** Notes a fresh token of the same person, shown by the transport, for the frames after it. */
  renew(caller: Caller): Promise<void>;
  /** Handles a frame after those before it; resolves when it and what it led to was sent. */
  receive(frame: ReadFrame): Promise<void>;
  /** Resolves when nothing of it runs any more and it is forgotten; closing again is the same. */
  close(): Promise<void>;
}

/** Whoever is left may have to take over a question that the one who went was asked. */
const living = new WeakMap<LocalDoor['follow'], Set<() => void>>();

/** All fronts of a house follow the same journal. */
const livingOn = ({ follow }: LocalDoor): Set<() => void> => {
  const known = living.get(follow) ?? new Set();
  living.set(follow, known);
  return known;
};

/** A fault that may pass is tried again this often, a little later each time. */
const TRIES = 6;
const PAUSE_MS = 50;

/** Opens a connection; it follows nothing until its client has a session. */
export const acpConnection = (options: AcpConnectionOptions): AcpConnection => {
  const id = randomUUID();
  const { door, follow } = options.local;
  const { principal } = options.caller;
  const peer: Peer = { ...options.caller, connection: id, door, send: options.send };
  const work = workOf(peer, options);
  const others = livingOn(options.local);
  others.add(work.wake);
  let closed: Promise<void> | undefined;
  const unfollow = follow((entry) => work.entry(entry.root));
  return {
    id,
    peer,
    renew: (caller) => work.add(() => renew(peer, caller)),
    receive: (frame) =>
      work.add(async () => {
        await receive(frame, peer);
        work.wake();
      }),
    close: () => {
      unfollow();
      others.delete(work.wake);
      closed ??= work
        .stop()
        .then(() => door.ports.sessions.disconnect(principal.tenant, id))
        .then(() => {
          for (const wake of others) wake();
        })
        // What is left behind of a connection is forgotten when the host starts again.
        .catch((error: unknown) => void process.stderr.write(`acp: ${String(error)}\n`));
      return closed;
    },
  };
};

const workOf = (peer: Peer, { broken }: AcpConnectionOptions) => {
  const state = { tail: Promise.resolve(), roots: new Set<string>(), isWoken: false, isOver: false };
  let timer: NodeJS.Timeout | undefined;
  const add = (job: () => Promise<void>): Promise<void> => {
    state.tail = state.tail.then(async () => {
      if (!state.isOver) await job().catch((error: unknown) => broken(error));
    });
    return state.tail;
  };
  const owe = async (): Promise<void> => {
    state.isWoken = false;
    const next = await patiently(() => pump(peer));
    state.roots = new Set(next.roots);
    clearTimeout(timer);
    if (next.at !== null) timer = setTimeout(wake, Math.max(1, next.at - peer.door.ports.clock.now() + 1)).unref();
  };
  const wake = (): void => {
    if (state.isWoken || state.isOver) return;
    state.isWoken = true;
    void add(owe);
  };
  return {
    add,
    wake,
    entry: (root: string): void => {
      if (state.roots.has(root)) wake();
    },
    stop: async (): Promise<void> => {
      state.isOver = true;
      clearTimeout(timer);
      await state.tail;
    },
  };
};

const patiently = async (work: () => Promise<Wake>): Promise<Wake> => {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (!isFault(error) || !error.retryable || tries === TRIES) throw error;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS * tries));
    }
  }
};
