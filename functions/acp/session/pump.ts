// What a connection is still owed: updates, answers and requests of ours, from its own position in the journal. Entries and deadlines only wake
// it; what it sends is always read from the stores, so nothing is missed and nothing sent twice, whichever process does it.
import type { AcpRequest, AcpSession, Attachment } from '#shared/contracts/acp-session.ts';
import { fitted } from '#shared/protocols/acp/fit.ts';
import type { RequestOut } from '#shared/protocols/acp/wire.ts';
import { advance, nextDeadline } from './advance.ts';
import type { Peer } from './peer.ts';
import { follow } from './show.ts';

/** What would make a connection owe something again: an entry below one of `roots`, or the time (ms). Only a hint. */
export interface Wake {
  roots: string[];
  at: number | null;
}

/** Sends everything that is owed. One at a time for each connection: the host sees to that. */
export const pump = async (peer: Peer): Promise<Wake> => {
  const { sessions } = peer.door.ports;
  const { tenant } = peer.principal;
  const wake: Wake = { roots: [], at: null };
  for (const attachment of await sessions.attachments(tenant, peer.connection)) {
    const session = await sessions.session(peer.principal, attachment.session);
    if (session === undefined) await sessions.detach(tenant, peer.connection, attachment.session);
    else note(wake, await pumpSession(peer, session, attachment));
  }
  return wake;
};

const note = (wake: Wake, more: Wake): void => {
  wake.roots.push(...more.roots);
  if (more.at !== null) wake.at = Math.min(wake.at ?? more.at, more.at);
};

/** Shows, moves turns on, and shows what came of it, until nothing moves any more. */
const pumpSession = async (peer: Peer, session: AcpSession, attached: Attachment): Promise<Wake> => {
  let attachment = attached;
  do {
    attachment = await showNew(peer, attachment);
  } while (await advance(session, peer));
  const at = await sendRequests(peer, session);
  return { roots: [session.id, ...attachment.position.tasks.map(({ task }) => task)], at };
};

const showNew = async (peer: Peer, attachment: Attachment): Promise<Attachment> => {
  const position = await follow(peer, attachment);
  if (JSON.stringify(position) === JSON.stringify(attachment.position)) return attachment;
  await peer.door.ports.sessions.move({ ...attachment, position });
  return { ...attachment, position, version: attachment.version + 1 };
};

/** Requests that wait for an answer and were sent to nobody who is still there. Answers with the nearest deadline. */
const sendRequests = async (peer: Peer, session: AcpSession): Promise<number | null> => {
  const { sessions } = peer.door.ports;
  for (const turn of await sessions.unfinished(session.tenant, session.id)) {
    const asked = await sessions.asked(session.tenant, turn.id);
    for (const request of asked.filter(({ answer }) => answer === null)) {
      if (await isOurs(peer, request, turn.caller.connection)) await sendRequest(peer, request);
    }
  }
  return nextDeadline(session, peer);
};

/** First choice is who sent the prompt; a client that reconnected takes over from one that is gone. */
const isOurs = async (peer: Peer, { sent_to }: AcpRequest, caller: string): Promise<boolean> => {
  const holder = sent_to ?? caller;
  if (holder === peer.connection) return sent_to === null;
  return (await peer.door.ports.sessions.connection(peer.principal, holder)) === undefined;
};

const sendRequest = async (peer: Peer, { tenant, id, session, method, params }: AcpRequest): Promise<void> => {
  const frame: RequestOut = { jsonrpc: '2.0', id, method, params };
  await peer.door.ports.sessions.sent(tenant, id, peer.connection);
  await peer.send(fitted(frame), session);
};
