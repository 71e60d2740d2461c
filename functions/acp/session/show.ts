// Sends what a session's journal holds to a connection, live or as a replay.
import type { Attachment, Position } from '#shared/contracts/acp-session.ts';
import type { SessionEvent } from '#shared/contracts/acp-session-events.ts';
import { fitted, fitting } from '#shared/protocols/acp/fit.ts';
import { errorFrame, resultFrame } from '#shared/protocols/acp/frame.ts';
import { sessionUpdates } from '#shared/protocols/acp/session-updates.ts';
import { taskUpdates } from '#shared/protocols/acp/task-updates.ts';
import type { SessionUpdate } from '#shared/protocols/acp/wire.ts';
import { diffsOf } from './diffs.ts';
import { offersOf } from './offers.ts';
import type { Peer } from './peer.ts';
import { hasMore, readOn } from './read-on.ts';
import { usageOf } from './usage.ts';

/** Where in a session everything begins. */
export const BEGINNING: Position = { session: '', tasks: [] };

/** Everything so far, as updates, to a connection that was not there; answers of old prompts are nobody's any more (LOAD-002). */
export const replay = (peer: Peer, session: string): Promise<Position> =>
  readOn(BEGINNING, {
    ...placeOf(peer, session),
    event: async (event) => sendAll(peer, session, await updatesOf(peer, event, false)),
    entry: async (entry) => sendAll(peer, session, taskUpdates(entry)),
  });

/** The end of a session, without showing what is before it (RESUME-002). */
export const skip = (peer: Peer, session: string): Promise<Position> =>
  readOn(BEGINNING, { ...placeOf(peer, session), event: async () => undefined, entry: async () => undefined });

/** Whether anything is new behind the connection's position. */
export const isBehind = (peer: Peer, { session, position }: Attachment): Promise<boolean> =>
  hasMore(position, placeOf(peer, session));

/** What is new behind the connection's position, answers to its own prompts included. Answers with the position behind it; `reached` hears of every one before. */
export const follow = (
  peer: Peer,
  { session, position }: Attachment,
  reached: (position: Position) => void,
): Promise<Position> =>
  readOn(position, {
    ...placeOf(peer, session),
    reached,
    event: async (event) => {
      await sendAll(peer, session, await updatesOf(peer, event, isOwn(peer, event)));
      if (event.event === 'end' && isOwn(peer, event)) await answer(peer, session, event);
    },
    entry: async (entry) => sendAll(peer, session, taskUpdates(entry)),
    page: async (task) => {
      const { following, update } = await usageOf(peer, task);
      if (update !== null) await sendAll(peer, session, [update]);
      return following;
    },
  });

const placeOf = ({ principal, door }: Peer, session: string) => ({
  tenant: principal.tenant,
  session,
  journal: door.ports.journal,
});

const isOwn = (peer: Peer, event: SessionEvent): boolean =>
  'caller' in event && event.caller.connection === peer.connection;

const NO_OFFERS = { harnesses: [], models: [] };

const updatesOf = async (peer: Peer, event: SessionEvent, own: boolean): Promise<SessionUpdate[]> => {
  const diffs = event.event === 'change' ? await diffsOf(peer, event) : [];
  const offers = event.event === 'options' ? await offersOf(peer) : NO_OFFERS;
  return sessionUpdates(event, { own, diffs, offers });
};

const sendAll = async (peer: Peer, session: string, updates: SessionUpdate[]): Promise<void> => {
  for (const frame of updates.flatMap((update) => fitting(session, update))) await peer.send(frame, session);
};

/** The answer to a prompt is what its last event says, and nothing of the turn follows it (PROMPT-001, CANCEL-002). */
const answer = async (peer: Peer, session: string, event: Extract<SessionEvent, { event: 'end' }>): Promise<void> => {
  const { caller, error, stop } = event;
  const frame =
    error === null ? resultFrame(caller.rpc, { stopReason: stop ?? 'end_turn' }) : errorFrame(caller.rpc, error);
  await peer.send(fitted(frame), session);
};
