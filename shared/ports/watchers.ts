// Open WebSockets as a gateway holds them: who is on each, which tasks it watches, and when it is owed something although nothing happens. A process of ours
// only lives for one event, so all of it lies here (architecture 2).
import type { Principal } from '#shared/contracts/acp-host.ts';

/** A WebSocket. `expires_at`: when its token ends, in ms; null never. */
export interface OpenSocket {
  id: string;
  principal: Principal;
  expires_at: number | null;
  opened_at: number;
}

/** A task's journal that a socket is shown. `version` counts the moves of `cursor`; until `claimed_until` (ms) one process sends what is new. */
export interface Watch {
  tenant: string;
  socket: string;
  task: string;
  cursor: string;
  version: number;
  claimed_until: number;
}

/** Who is to be woken at a time. */
export interface Due {
  tenant: string;
  socket: string;
  at: number;
}

export interface Watchers {
  /** Notes a socket; again replaces it. It is forgotten by itself some hours after it was opened. */
  open(socket: OpenSocket): Promise<void>;
  find(id: string): Promise<OpenSocket | undefined>;
  /** Forgets a socket and what it watches. */
  close(id: string): Promise<void>;
  /** Watches from a cursor; watching again begins there. */
  watch(watch: Pick<Watch, 'tenant' | 'socket' | 'task' | 'cursor'>): Promise<void>;
  /** What watches a task. */
  watching(tenant: string, task: string): Promise<Watch[]>;
  /** Saves cursor, claim and version + 1 on the version that was read; undefined when another process was faster. */
  move(watch: Watch): Promise<Watch | undefined>;
  stop(watch: Watch): Promise<void>;
  /** Wakes a socket at a time, for what is not there yet. */
  wakeAt(due: Due): Promise<void>;
  /** What is due by now, at most a hundred, the earliest first. It stays due until it is said to be done. */
  dueBy(now: number): Promise<Due[]>;
  woken(due: Due): Promise<void>;
}

/** Sending to open sockets. */
export interface Connections {
  /** Sends a text; `gone` when nobody is there any more. @throws HcaFault HcaTooLarge, HcaThrottled, HcaUnavailable */
  push(socket: string, text: string): Promise<'sent' | 'gone'>;
  /** Ends a socket; ending what is not there does nothing. */
  end(socket: string): Promise<void>;
}
