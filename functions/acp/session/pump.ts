// What a connection is still owed: updates, answers and requests of ours, from its own position in the journal. Entries and deadlines only wake
// it; what it sends is always read from the stores, so nothing is missed and nothing sent twice, whichever process does it.
import type { AcpSession, Attachment } from '#shared/contracts/acp-session.ts';
import { isOver } from './admit.ts';
import { advance, nextDeadline } from './advance.ts';
import { claim, type Lease } from './lease.ts';
import type { Peer } from './peer.ts';
import { dueRequests, sendRequest } from './requests.ts';
import { follow, isBehind } from './show.ts';

/** What would make a connection owe something again: an entry below one of `roots`, or the time (ms). Only a hint. */
export interface Wake {
  roots: string[];
  at: number | null;
}

/** Sends everything that is owed and that no other process is sending. It may be called by any number of them at once. */
export const pump = async (peer: Peer): Promise<Wake> => {
  const { sessions } = peer.door.ports;
  const { tenant } = peer.principal;
  const wake: Wake = { roots: [], at: null };
  if (await isOver(peer)) return wake;
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

/**
 * Sends until nothing is owed. Who holds the claim looks once more after giving it back: so whoever found it claimed may leave, and what it came for
 * is sent all the same.
 */
const pumpSession = async (peer: Peer, session: AcpSession, seen: Attachment): Promise<Wake> => {
  let attachment = seen;
  while (await isOwed(peer, session, attachment)) {
    const lease = await claim(peer, attachment);
    if (lease !== undefined) {
      attachment = await sendOwed(lease, session, attachment);
      continue;
    }
    const now = await readAgain(peer, attachment);
    if (now === undefined) return { roots: [], at: null };
    if (now.claimed_until > peer.door.ports.clock.now()) return { roots: rootsOf(now), at: now.claimed_until };
    attachment = now;
  }
  return { roots: rootsOf(attachment), at: await nextDeadline(session, peer) };
};

const rootsOf = ({ session, position }: Attachment): string[] => [session, ...position.tasks.map(({ task }) => task)];

const isOwed = async (peer: Peer, session: AcpSession, attachment: Attachment): Promise<boolean> =>
  (await isBehind(peer, attachment)) || (await advance(session, peer)) || (await dueRequests(peer, session)).length > 0;

const readAgain = async (peer: Peer, { tenant, session }: Attachment): Promise<Attachment | undefined> => {
  const found = await peer.door.ports.sessions.attachments(tenant, peer.connection);
  return found.find((other) => other.session === session);
};

/** Shows, moves turns on, and shows what came of it, until nothing moves any more; then asks. A claim is given back whatever happens. */
const sendOwed = async (lease: Lease, session: AcpSession, attachment: Attachment): Promise<Attachment> => {
  try {
    let { position } = attachment;
    do {
      position = await follow(lease.peer, { ...attachment, position }, lease.reached);
    } while (await advance(session, lease.peer));
    for (const request of await dueRequests(lease.peer, session)) await sendRequest(lease.peer, request);
  } catch (error) {
    // What went wrong counts, whether or not the claim was lost with it.
    await lease.release().catch(() => undefined);
    throw error;
  }
  return lease.release();
};
