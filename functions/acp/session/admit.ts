// Tokens end while connections live: every frame looks again, and so does what is sent (architecture 11).
import { HcaFault } from '#shared/contracts/errors.ts';
import type { Identity } from '#shared/contracts/identity.ts';
import { connectionOf, type Peer } from './peer.ts';

/** The peer with the scopes of the newest token it has shown. @throws HcaFault HcaUnauthenticated when that is over */
export const admit = async (peer: Peer): Promise<Peer> => {
  if (peer.expires_at === undefined || peer.expires_at === null) return peer;
  const shown = await connectionOf(peer);
  if ((shown?.expires_at ?? peer.expires_at) <= peer.door.ports.clock.now()) throw expired();
  return shown?.scopes ? { ...peer, principal: { ...peer.principal, scopes: shown.scopes } } : peer;
};

/** Whether nothing may be sent to it until it shows a fresh token. */
export const isOver = async (peer: Peer): Promise<boolean> => {
  if (peer.expires_at === null) return false;
  const ends = (await connectionOf(peer))?.expires_at ?? null;
  return ends !== null && ends <= peer.door.ports.clock.now();
};

/** A fresh token of the same person: its end and its scopes are the connection's from now on. Before `initialize` there is nothing to note. */
export const renew = async (peer: Peer, { principal, expires_at }: Identity): Promise<void> => {
  const known = await connectionOf(peer);
  if (known === undefined) return;
  await peer.door.ports.sessions.connect({ ...known, expires_at, scopes: principal.scopes });
};

const expired = (): HcaFault =>
  new HcaFault('HcaUnauthenticated', {
    message: 'the token of this connection has expired',
    field: 'token',
    remedy: 'send authenticate with a fresh one in _meta.hca.token, or connect again',
  });
