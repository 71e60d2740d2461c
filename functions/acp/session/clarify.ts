// A goal that cannot be planned as it is worded: the person is asked once or twice, in a form where the client has one, else by a message that ends
// the turn. Whether and how often is the harness profile's posture; a question that nobody answers in time is declined (requirements section 6).
import type { AcpRequest, AcpTurn } from '#shared/contracts/acp-session.ts';
import type { SessionEvent } from '#shared/contracts/acp-session-events.ts';
import type { PlanPreview } from '#shared/contracts/acp-task.ts';
import { CLARIFIED, clarification } from '#shared/protocols/acp/clarification.ts';
import { previewPlan } from '../plan.ts';
import { requestOf } from './approve.ts';
import { happened } from './events.ts';
import { folderOf } from './folder.ts';
import { type At, finish, type Stage, say } from './turn.ts';

type Clarified = Extract<SessionEvent, { event: 'clarified' }>;

/** The turn that waits for an answer or ended with the question; undefined when there is nothing to ask. */
export const clarified = async (at: At): Promise<AcpTurn | undefined> => {
  const { turn, session, peer } = at;
  const most = turn.given.goal === undefined ? await questionsOf(at) : 0;
  if (most === 0) return undefined;
  const params = { goal: turn.text, workspace: folderOf(turn, session), criteria: criteriaOf(turn) };
  const plan = await previewPlan({ params, principal: peer.principal, door: peer.door });
  if (plan.ok) return undefined;
  const client = await peer.door.ports.sessions.connection(peer.principal, turn.caller.connection);
  if (client?.elicits !== true || turn.questions >= most) return endWith(at, plan);
  return ask(at, plan);
};

/** Waits for the answer: a new wording is planned again, anything else ends the turn. */
export const clarifying: Stage = async (at) => {
  const { sessions, clock } = at.peer.door.ports;
  if (at.turn.cancel !== null) return finish(at);
  const request = await sessions.request(at.turn.tenant, requestId(at.turn));
  if (request === undefined) return finish(at);
  if (request.answer !== null) return goOn(at, request);
  if (request.deadline > clock.now()) return undefined;
  await sessions.answer(at.turn.tenant, request.id, { error: 'nobody answered in time' });
  return declined(at, request, 'nobody answered in time');
};

/** The most that any harness of this house asks; one that may ask at all asks at least once. */
const questionsOf = async ({ peer }: At): Promise<number> => {
  const packages = await peer.door.ports.profiles.all();
  const postures = packages.map(({ profile }) => profile.clarification);
  return Math.max(0, ...postures.map(({ posture, questions }) => (posture === 'ask' ? Math.max(1, questions) : 0)));
};

const criteriaOf = ({ given }: AcpTurn): unknown[] => (Array.isArray(given.criteria) ? given.criteria : []);

const requestId = ({ id, questions }: AcpTurn): string => `ask_${id}_${questions}`;

const questionText = ({ reason }: PlanPreview): string => `I cannot plan this yet: ${reason}`;

const endWith = async (at: At, plan: PlanPreview): Promise<AcpTurn> => {
  const text = `${questionText(plan)}\n\nNothing was started. Say it again in other words, or name a command that must pass.`;
  await say(at, { event: 'said', turn: at.turn.id, text, links: [] });
  return finish(at);
};

const ask = async (at: At, plan: PlanPreview): Promise<AcpTurn> => {
  const turn = { ...at.turn, questions: at.turn.questions + 1, stage: 'clarifying' as const };
  await at.peer.door.ports.sessions.ask({
    ...requestOf(at, requestId(turn)),
    method: 'elicitation/create',
    params: clarification(turn.session, { message: questionText(plan), goal: turn.text }),
  });
  return turn;
};

const goOn = async (at: At, request: AcpRequest): Promise<AcpTurn> => {
  const { answer } = request;
  const read = answer !== null && 'result' in answer ? CLARIFIED.safeParse(answer.result) : undefined;
  if (read?.success !== true) return declined(at, request, 'the question was declined');
  const { goal, command } = read.data.content;
  await note(at, request, { goal, command: command ?? null });
  const criteria = [...criteriaOf(at.turn), ...(command === undefined ? [] : [command])];
  return { ...at.turn, text: goal, given: { ...at.turn.given, criteria }, stage: 'new' };
};

const declined = async (at: At, request: AcpRequest, why: string): Promise<AcpTurn> => {
  await note(at, request, null);
  await say(at, { event: 'said', turn: at.turn.id, text: `Nothing was started: ${why}.`, links: [] });
  return finish(at);
};

const note = ({ turn, peer }: At, { id, params }: AcpRequest, answer: Clarified['answer']): Promise<void> =>
  happened(
    peer.door.ports,
    { tenant: turn.tenant, session: turn.session, key: id },
    { event: 'clarified', turn: turn.id, question: String(params.message), answer },
  );
