// The client of a turn: who is asked about its files.
import type { AcpConnection } from '#shared/contracts/acp-session.ts';
import type { At } from './turn.ts';

/** The one that answered the question, else the one that sent the prompt; undefined when it is gone. */
export const clientOf = async ({ turn, peer }: At): Promise<AcpConnection | undefined> => {
  const { sessions } = peer.door.ports;
  const asked = await sessions.request(turn.tenant, `perm_${turn.id}`);
  return sessions.connection(peer.principal, asked?.sent_to ?? turn.caller.connection);
};
