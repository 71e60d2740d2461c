// The other side of a WebSocket that API Gateway holds: frames go out one after another, and whoever is gone is forgotten.
import type { Principal } from '#shared/contracts/acp-host.ts';
import type { AcpConnection } from '#shared/contracts/acp-session.ts';
import type { Peer } from '../session/peer.ts';
import type { Gateway } from './house.ts';

/** Nobody is at the other end any more: what was to be sent stays owed, and is sent to whoever loads the session. */
export class Gone extends Error {
  override readonly name = 'Gone';
}

/** A peer of a socket. @throws Gone from `send` */
export const peerOf = (
  gateway: Gateway,
  socket: { id: string; principal: Principal; expires_at: number | null },
): Peer => ({
  connection: socket.id,
  principal: socket.principal,
  expires_at: socket.expires_at,
  door: gateway.door,
  ...(gateway.verify === undefined ? {} : { verify: gateway.verify }),
  send: async (frame) => {
    if ((await gateway.connections.push(socket.id, JSON.stringify(frame))) === 'gone') throw new Gone(socket.id);
  },
});

/** A peer of a connection as the sessions know it: one of which nobody noted what it may do may do nothing. */
export const peerOfConnection = (gateway: Gateway, connection: AcpConnection): Peer => {
  const { id, tenant, subject, scopes, expires_at } = connection;
  return peerOf(gateway, { id, principal: { tenant, subject, scopes: scopes ?? [] }, expires_at });
};

/** Does something with a peer; when it is gone it is forgotten, with what it followed and watched. */
export const orForget = async (gateway: Gateway, peer: Peer, work: () => Promise<void>): Promise<void> => {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Gone)) throw error;
    await forget(gateway, peer.principal.tenant, peer.connection);
  }
};

export const forget = async ({ door, watchers }: Gateway, tenant: string, socket: string): Promise<void> => {
  await door.ports.sessions.disconnect(tenant, socket);
  await watchers.close(socket);
};
