// Requests of ours to a client: which of them this connection has to send, each to one client at a time.
import type { AcpConnection, AcpRequest, AcpSession } from '#shared/contracts/acp-session.ts';
import { fitted } from '#shared/protocols/acp/fit.ts';
import type { RequestOut } from '#shared/protocols/acp/wire.ts';
import { connectionOf, type Peer } from './peer.ts';

/** Requests that wait for an answer and were sent to nobody who is still there. */
export const dueRequests = async (peer: Peer, { tenant, id }: AcpSession): Promise<AcpRequest[]> => {
  const { sessions } = peer.door.ports;
  const due: AcpRequest[] = [];
  for (const turn of await sessions.unfinished(tenant, id)) {
    for (const request of await sessions.asked(tenant, turn.id)) {
      if (request.answer === null && (await isOurs(peer, request, turn.caller.connection))) due.push(request);
    }
  }
  return due;
};

/** First choice is who sent the prompt; a client that reconnected takes over from one that is gone, if it can do what is asked (CLIENTCAP-001 to 003). */
const isOurs = async (peer: Peer, { sent_to, method }: AcpRequest, caller: string): Promise<boolean> => {
  const holder = sent_to ?? caller;
  if (holder === peer.connection) return sent_to === null;
  if ((await peer.door.ports.sessions.connection(peer.principal, holder)) !== undefined) return false;
  const own = await connectionOf(peer);
  return own !== undefined && ABLE[method](own);
};

const ABLE: Record<AcpRequest['method'], (client: AcpConnection) => boolean> = {
  'session/request_permission': () => true,
  'elicitation/create': ({ elicits }) => elicits,
  'fs/read_text_file': ({ reads }) => reads,
  'fs/write_text_file': ({ writes }) => writes,
};

/** Sends a request, unless another client was faster to take it over. */
export const sendRequest = async (peer: Peer, request: AcpRequest): Promise<void> => {
  const { tenant, id, session, method, params, sent_to } = request;
  const isFirst = await peer.door.ports.sessions.sent(tenant, id, { from: sent_to, connection: peer.connection });
  const frame: RequestOut = { jsonrpc: '2.0', id, method, params };
  if (isFirst) await peer.send(fitted(frame), session);
};
