// Open WebSockets in memory, and a gateway's connections that keep what was sent: as a test sees a door in the cloud.
import type { Connections, Due, OpenSocket, Watch, Watchers } from '#shared/ports/watchers.ts';

export interface MemoryConnections extends Connections {
  /** Frames that arrived at a socket, in order. */
  arrived(socket: string): Record<string, unknown>[];
  /** From now on nobody is there. */
  leave(socket: string): void;
}

export const memoryConnections = (): MemoryConnections => {
  const sent = new Map<string, Record<string, unknown>[]>();
  const gone = new Set<string>();
  return {
    push: async (socket, text) => {
      if (gone.has(socket)) return 'gone';
      sent.set(socket, [...(sent.get(socket) ?? []), JSON.parse(text)]);
      return 'sent';
    },
    end: async (socket) => void gone.add(socket),
    arrived: (socket) => sent.get(socket) ?? [],
    leave: (socket) => void gone.add(socket),
  };
};

const keyOf = ({ tenant, task, socket }: Pick<Watch, 'tenant' | 'task' | 'socket'>): string =>
  `${tenant} ${task} ${socket}`;

export const memoryWatchers = (): Watchers => {
  const sockets = new Map<string, OpenSocket>();
  const watches = new Map<string, Watch>();
  let due: Due[] = [];
  return {
    open: async (socket) => void sockets.set(socket.id, socket),
    find: async (id) => sockets.get(id),
    close: async (id) => {
      sockets.delete(id);
      for (const [key, watch] of watches) if (watch.socket === id) watches.delete(key);
    },
    watch: async (watch) => void watches.set(keyOf(watch), { ...watch, version: 1, claimed_until: 0 }),
    watching: async (tenant, task) =>
      [...watches.values()].filter((watch) => watch.tenant === tenant && watch.task === task),
    move: async (watch) => {
      const known = watches.get(keyOf(watch));
      if (known?.version !== watch.version) return undefined;
      const moved = { ...watch, version: watch.version + 1 };
      watches.set(keyOf(watch), moved);
      return moved;
    },
    stop: async (watch) => void watches.delete(keyOf(watch)),
    wakeAt: async (one) => void due.push(one),
    dueBy: async (now) => due.filter(({ at }) => at <= now),
    woken: async (one) => {
      due = due.filter(({ tenant, socket, at }) => tenant !== one.tenant || socket !== one.socket || at !== one.at);
    },
  };
};
