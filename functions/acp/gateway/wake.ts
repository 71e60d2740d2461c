// A wake-up for open sockets: an entry of a journal was written, or a time has come. What is sent is read from the stores, never from the wake-up.
import type { Gateway } from './house.ts';
import { sendOwed, sendWatched } from './owed.ts';
import { orForget, peerOf, peerOfConnection } from './peer.ts';

/** Wakes whoever follows a root task or a session, or watches it. @throws the first trouble, after everybody was tried */
export const wakeRoot = (tenant: string, root: string, gateway: Gateway): Promise<void> =>
  gateway.forTenant(tenant, async () => {
    const { sessions } = gateway.door.ports;
    const turn = await sessions.turnOfTask(tenant, root);
    const followers = await sessions.followers(tenant, turn?.session ?? root);
    const watches = await gateway.watchers.watching(tenant, root);
    const ends = await Promise.allSettled([
      ...followers.map((connection) => {
        const peer = peerOfConnection(gateway, connection);
        return orForget(gateway, peer, () => sendOwed(gateway, peer));
      }),
      ...watches.map(async (watch) => {
        const socket = await gateway.watchers.find(watch.socket);
        if (socket === undefined) return gateway.watchers.stop(watch);
        const peer = peerOf(gateway, socket);
        return orForget(gateway, peer, () => sendWatched(gateway, peer, watch));
      }),
    ]);
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
  });

/** Wakes whoever is owed something by now; who could not be woken stays due. @throws the first trouble, after everybody was tried */
export const wakeDue = async (gateway: Gateway): Promise<number> => {
  const due = await gateway.watchers.dueBy(gateway.door.ports.clock.now());
  const ends = await Promise.allSettled(
    due.map(async (one) => {
      await wakeSocket(one.tenant, one.socket, gateway);
      await gateway.watchers.woken(one);
    }),
  );
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
  return due.length;
};

const wakeSocket = (tenant: string, id: string, gateway: Gateway): Promise<void> =>
  gateway.forTenant(tenant, async () => {
    const socket = await gateway.watchers.find(id);
    if (socket === undefined) return;
    const peer = peerOf(gateway, socket);
    await orForget(gateway, peer, () => sendOwed(gateway, peer));
  });
