// Sends what a socket is owed: updates of the sessions it follows, and pages of the journals it watches. Called by whoever learns that there may be
// something; several at once do no harm, because what is sent is claimed (session/lease.ts, and the same for watches here).
import { JournalSlice } from '#shared/contracts/acp-task.ts';
import type { Watch } from '#shared/ports/watchers.ts';
import type { Peer } from '../session/peer.ts';
import { pump } from '../session/pump.ts';
import { respond } from '../session/receive.ts';
import type { Gateway } from './house.ts';

/** Everything of the sessions; a deadline among them wakes the socket again, later than whatever is due by now. */
export const sendOwed = async ({ watchers, door }: Gateway, peer: Peer): Promise<void> => {
  const { at } = await pump(peer);
  if (at === null) return;
  const soon = Math.max(at, door.ports.clock.now() + 1);
  await watchers.wakeAt({ tenant: peer.principal.tenant, socket: peer.connection, at: soon });
};

/** A process that stands still this long has lost its claim. */
const LEASE_MS = 20_000;
/** Entries of a page: so few that a page stays far below what API Gateway takes at once. */
const PAGE = 25;

/**
 * Sends pages until nothing is left. Who holds the claim looks once more after giving it back, so whoever found it claimed may leave, and what it came
 * for is sent all the same.
 */
export const sendWatched = async (gateway: Gateway, peer: Peer, watch: Watch): Promise<void> => {
  let seen: Watch | undefined = watch;
  while (seen !== undefined) {
    const page = await pageOf(peer, seen);
    if (page === undefined || isEmpty(page)) return;
    if (seen.claimed_until > gateway.door.ports.clock.now()) return;
    seen = await sendPages(gateway, peer, seen);
  }
};

/** The watch as it stands after a claim was given back; undefined when somebody else has it, or it is over. */
const sendPages = async (gateway: Gateway, peer: Peer, seen: Watch): Promise<Watch | undefined> => {
  let held = await claim(gateway, seen);
  while (held !== undefined) {
    const page = await pageOf(peer, held);
    if (page === undefined || isEmpty(page)) return gateway.watchers.move({ ...held, claimed_until: 0 });
    await peer.send({ jsonrpc: '2.0', method: '_hca/task/update', params: page }, null);
    held = page.done ? await stop(gateway, held) : await claim(gateway, { ...held, cursor: page.cursor });
  }
  return undefined;
};

const isEmpty = ({ entries, done }: JournalSlice): boolean => entries.length === 0 && !done;

const claim = ({ watchers, door }: Gateway, watch: Watch): Promise<Watch | undefined> =>
  watchers.move({ ...watch, claimed_until: door.ports.clock.now() + LEASE_MS });

const stop = async ({ watchers }: Gateway, watch: Watch): Promise<undefined> => {
  await watchers.stop(watch);
};

/** Undefined when this person may not read it any more. What we read to push is no request of theirs, and counts for none. */
const pageOf = async (peer: Peer, { task, cursor }: Watch): Promise<JournalSlice | undefined> => {
  const { throttle: _uncounted, ...door } = peer.door;
  const frame = {
    jsonrpc: '2.0' as const,
    id: null,
    method: '_hca/task/journal',
    params: { task, cursor, limit: PAGE },
  };
  const answer = await respond(frame, { ...peer, door });
  return 'result' in answer ? JournalSlice.parse(answer.result) : undefined;
};
