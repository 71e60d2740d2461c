// One turn on its way: what a stage is given, how it says that something happened, and how a turn ends.
import type { AcpSession, AcpTurn } from '#shared/contracts/acp-session.ts';
import type { SessionEvent } from '#shared/contracts/acp-session-events.ts';
import { ACP_ERROR } from '#shared/protocols/acp/wire.ts';
import { happened } from './events.ts';
import type { Peer } from './peer.ts';

export interface At {
  turn: AcpTurn;
  session: AcpSession;
  peer: Peer;
}

/** What a stage makes of a turn: the turn to save, or undefined while it waits. Every effect before that can be repeated. */
export type Stage = (at: At) => Promise<AcpTurn | undefined>;

/** Appends an event of this turn, once per kind. */
export const say = ({ turn, peer }: At, event: SessionEvent): Promise<void> =>
  happened(peer.door.ports, { tenant: turn.tenant, session: turn.session, key: `${turn.id}:${event.event}` }, event);

/** The end of a turn. A prompt that was answered before, as the option `accepted` wants it, keeps that answer. */
export const finish = async (at: At, error: { code: number; message: string } | null = null): Promise<AcpTurn> => {
  await say(at, endOf(at.turn, error));
  return { ...at.turn, stage: 'over', open: false };
};

/** How a turn answers its prompt: cancelled is no error, unless the request itself was cancelled. */
export const endOf = (turn: AcpTurn, error: { code: number; message: string } | null): SessionEvent => {
  const end = { event: 'end' as const, turn: turn.id, caller: turn.caller };
  if (turn.cancel === 'request') {
    return { ...end, stop: null, error: { code: ACP_ERROR.cancelled, message: 'the request was cancelled' } };
  }
  if (turn.cancel === 'session') return { ...end, stop: 'cancelled', error: null };
  return { ...end, stop: error === null ? 'end_turn' : null, error };
};
