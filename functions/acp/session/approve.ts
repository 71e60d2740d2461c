// Applying a change to the person's folder is the first thing that needs an approval: asked once, with a deadline that becomes a refusal;
// "always" becomes policy for this person and folder (L2-ESC; protocols 9.1).
import type { AcpRequest, AcpTurn } from '#shared/contracts/acp-session.ts';
import type { SessionEvent } from '#shared/contracts/acp-session-events.ts';
import { PermissionAnswer } from '#shared/protocols/acp/params.ts';
import { applyCall, changeContent } from '#shared/protocols/acp/session-updates.ts';
import type { PermissionRequest } from '#shared/protocols/acp/wire.ts';
import { changesOfTurn } from './apply.ts';
import { clientOf } from './client.ts';
import { diffsOf } from './diffs.ts';
import { shareOf } from './editor-share.ts';
import { type At, finish, type Stage, say } from './turn.ts';

type Change = Extract<SessionEvent, { event: 'change' }>;
type Decision = Extract<SessionEvent, { event: 'decided' }>['decision'];

/** How long a person has to answer: ten minutes. */
export const PATIENCE_MS = 10 * 60_000;

/** A change is there: write it, ask, or leave it, as the option and the policy say. */
export const afterResult = async (at: At, change: Change): Promise<AcpTurn> => {
  const { turn, session, peer } = at;
  if (session.options.approval === 'never') return finish(at);
  await say(at, change);
  // Nobody is asked whether something is to be done that cannot be done here: the next stage says why.
  if (await isBeyondReach(at)) return { ...turn, stage: 'reading' };
  const isGranted = await peer.door.ports.sessions.allowed(peer.principal, change.root);
  if (session.options.approval === 'always' || isGranted) return decide(at, 'always');
  const params = await questionOf(at, change);
  await peer.door.ports.sessions.ask({
    ...requestOf(at, `perm_${turn.id}`),
    method: 'session/request_permission',
    params,
  });
  return { ...turn, stage: 'asking' };
};

const isBeyondReach = async (at: At): Promise<boolean> => {
  const { elsewhere, changes } = await changesOfTurn(at);
  return elsewhere && shareOf(await clientOf(at), changes.files).mine.length === 0;
};

export const asking: Stage = async (at) => {
  const { sessions, clock } = at.peer.door.ports;
  const request = await sessions.request(at.turn.tenant, `perm_${at.turn.id}`);
  if (request === undefined || at.turn.cancel !== null) return decide(at, 'cancelled');
  if (request.answer !== null) return decide(at, decisionOf(request.answer));
  if (request.deadline > clock.now()) return undefined;
  await sessions.answer(at.turn.tenant, request.id, { error: 'nobody answered in time' });
  return decide(at, 'expired');
};

/** A request of this turn to the client, not sent yet. */
export const requestOf = ({ turn, peer }: At, id: string): Omit<AcpRequest, 'method' | 'params'> => ({
  tenant: turn.tenant,
  id,
  session: turn.session,
  turn: turn.id,
  deadline: peer.door.ports.clock.now() + PATIENCE_MS,
  sent_to: null,
  answer: null,
});

const questionOf = async (at: At, change: Change): Promise<Record<string, unknown>> => {
  const question = {
    sessionId: at.turn.session,
    toolCall: {
      toolCallId: applyCall(at.turn.id),
      title: `Apply ${change.files.length} changed file(s) to ${change.root}`,
      kind: 'edit',
      status: 'pending',
      content: changeContent(change, await diffsOf(at.peer, change)),
    },
    options: [
      { optionId: 'once', name: 'Apply', kind: 'allow_once' },
      { optionId: 'always', name: 'Always apply accepted changes to this folder', kind: 'allow_always' },
      { optionId: 'refuse', name: 'Do not apply', kind: 'reject_once' },
    ],
  } satisfies PermissionRequest;
  return question;
};

/** Whatever is no clear yes is a no. */
const decisionOf = (answer: NonNullable<AcpRequest['answer']>): Decision => {
  const read = 'result' in answer ? PermissionAnswer.safeParse(answer.result) : undefined;
  if (read?.success !== true) return 'refused';
  const { outcome } = read.data;
  if (outcome.outcome === 'cancelled') return 'cancelled';
  return outcome.optionId === 'once' || outcome.optionId === 'always' ? outcome.optionId : 'refused';
};

const decide = async (at: At, decision: Decision): Promise<AcpTurn> => {
  const { turn, session, peer } = at;
  await say(at, { event: 'decided', turn: turn.id, task: turn.task, decision });
  if (decision !== 'once' && decision !== 'always') return finish(at);
  const record = await peer.door.ports.tasks.load(turn.tenant, turn.task);
  const root = record?.kind === 'task' ? record.spec.workspace?.root : undefined;
  if (decision === 'always' && session.options.approval === 'ask') {
    await peer.door.ports.sessions.allow(peer.principal, root ?? session.cwd);
  }
  return { ...turn, stage: 'reading' };
};
