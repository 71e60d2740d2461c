// The other side of an ACP connection as one frame sees it: who it is, what the house offers, and how a frame gets there. Nothing else is
// kept between two frames, so that each may be handled by another process (architecture 2 and 9).

import type { Principal, Scope } from '#shared/contracts/acp-host.ts';
import type { AcpConnection, AcpSession } from '#shared/contracts/acp-session.ts';
import { HcaFault } from '#shared/contracts/errors.ts';
import type { Identity } from '#shared/contracts/identity.ts';
import type { Outgoing } from '#shared/protocols/acp/fit.ts';
import type { DoorPorts } from '../ports.ts';

export interface Peer {
  /** Id of the connection, given by the host; random, and no credential. */
  connection: string;
  principal: Principal;
  /** When the token of the transport ends, in ms; null: never. Left out where only the stored connection knows. */
  expires_at?: number | null;
  /** Checks a fresh token, where connections come with tokens that end. */
  verify?(token: string): Promise<Identity>;
  door: DoorPorts;
  /** Hands a frame to the transport. `session`: whose stream it belongs to, for transports that have one for each. */
  send(frame: Outgoing, session: string | null): Promise<void>;
}

/** An answer, and what is done once it was sent: a client hears of a session's updates only when it knows the session. */
export class Answered {
  readonly result: object;
  readonly after: () => Promise<void>;

  constructor(result: object, after: () => Promise<void>) {
    this.result = result;
    this.after = after;
  }
}

/** A session of this principal; anybody else's does not exist. @throws HcaFault HcaNotFound */
export const sessionOf = async ({ principal, door }: Peer, id: string): Promise<AcpSession> => {
  const found = await door.ports.sessions.session(principal, id);
  if (found !== undefined) return found;
  throw new HcaFault('HcaNotFound', {
    message: `there is no session ${id.slice(0, 60)}`,
    field: 'sessionId',
    remedy: 'session/list has those that there are',
  });
};

/** This connection, once it said `initialize`. */
export const connectionOf = ({ principal, door, connection }: Peer): Promise<AcpConnection | undefined> =>
  door.ports.sessions.connection(principal, connection);

/** @throws HcaFault HcaDenied */
export const allow = ({ principal }: Peer, scope: Scope, what: string): void => {
  if (principal.scopes.includes(scope)) return;
  throw new HcaFault('HcaDenied', {
    message: `${what} needs the scope ${scope}`,
    field: 'scope',
    remedy: `ask for a token with the scope ${scope}`,
  });
};
