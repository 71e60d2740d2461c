// Stopping a prompt: a mark on the turn and a cancel of its task, which reaches every descendant; the answer comes when all of it has ended.
import type { AcpSession, AcpTurn } from '#shared/contracts/acp-session.ts';
import { isFault } from '#shared/contracts/errors.ts';
import type { CancelRequest, NamedSession } from '#shared/protocols/acp/params.ts';
import { cancelTask } from '../cancel.ts';
import { type Peer, sessionOf } from './peer.ts';

/** `session/cancel`: the prompt answers `cancelled` (CANCEL-001). Nothing to stop is no error. */
export const cancelSession = async (given: NamedSession, peer: Peer): Promise<void> => {
  await cancelTurns(await sessionOf(peer, given.sessionId), peer);
};

/** `$/cancel_request` of a prompt: it answers with the error for it (-32800). Other requests are over before this comes. */
export const cancelRequest = async ({ requestId }: CancelRequest, peer: Peer): Promise<void> => {
  const caller = { connection: peer.connection, rpc: requestId };
  const turn = await peer.door.ports.sessions.turnOf(peer.principal.tenant, caller);
  if (turn !== undefined && turn.stage !== 'over') await cancelTurn(turn, peer, 'request');
};

/** Stops everything of a session that is not over, but for the turn that asks for it; whether there was anything. */
export const cancelTurns = async ({ tenant, id }: AcpSession, peer: Peer, but?: string): Promise<boolean> => {
  const turns = (await peer.door.ports.sessions.unfinished(tenant, id)).filter((turn) => turn.id !== but);
  for (const turn of turns) await cancelTurn(turn, peer, 'session');
  return turns.length > 0;
};

const cancelTurn = async (turn: AcpTurn, peer: Peer, how: 'session' | 'request'): Promise<void> => {
  const { principal, door } = peer;
  await door.ports.sessions.cancelTurn(turn.tenant, turn.id, how);
  if ((await door.ports.tasks.load(turn.tenant, turn.task)) === undefined) return;
  try {
    await cancelTask({ params: { task: turn.task, cause: 'cancelled by the user' }, principal, door });
  } catch (error) {
    // It ended in the meantime, in its own way.
    if (!isFault(error) || error.code !== 'HcaRefused') throw error;
  }
};
