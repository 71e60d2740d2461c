// Moves the turns of a session on as far as they go: asked after every frame, every entry and every deadline, by whichever process is there.
// A turn is saved on the version that was read, and what a stage does can be repeated: so two at once do no harm.
import type { AcpSession, AcpTurn, TurnStage } from '#shared/contracts/acp-session.ts';
import { applying } from './apply.ts';
import { asking } from './approve.ts';
import { begin } from './begin.ts';
import { clarifying } from './clarify.ts';
import { reading, writing } from './editor-files.ts';
import type { Peer } from './peer.ts';
import { running } from './run.ts';
import type { Stage } from './turn.ts';

const STAGES: Record<Exclude<TurnStage, 'over'>, Stage> = {
  new: begin,
  clarifying,
  running,
  asking,
  reading,
  applying,
  writing,
};

/** Whether anything moved. */
export const advance = async (session: AcpSession, peer: Peer): Promise<boolean> => {
  const turns = await peer.door.ports.sessions.unfinished(session.tenant, session.id);
  let moved = false;
  for (const turn of turns) moved = (await move(turn, session, peer)) || moved;
  return moved;
};

/** When a turn has to be looked at although nothing happens: the nearest deadline of a question, in ms. */
export const nextDeadline = async ({ tenant, id }: AcpSession, { door }: Peer): Promise<number | null> => {
  const turns = await door.ports.sessions.unfinished(tenant, id);
  const asked = (await Promise.all(turns.map((turn) => door.ports.sessions.asked(tenant, turn.id)))).flat();
  const open = asked.filter(({ answer }) => answer === null).map(({ deadline }) => deadline);
  return open.length === 0 ? null : Math.min(...open);
};

const move = async (turn: AcpTurn, session: AcpSession, peer: Peer): Promise<boolean> => {
  if (turn.stage === 'over') return false;
  const next = await STAGES[turn.stage]({ turn, session, peer: forAsker(turn, peer) });
  if (next === undefined) return false;
  await peer.door.ports.sessions.saveTurn(next);
  return true;
};

/** A turn may do what its asker might, whichever connection of the same person moves it on. */
const forAsker = ({ scopes }: AcpTurn, peer: Peer): Peer =>
  scopes === undefined ? peer : { ...peer, principal: { ...peer.principal, scopes } };
