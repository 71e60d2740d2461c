// Slash commands: questions about the session's last task, answered from the stores, and the few things a person may do with it.
import type { AcpRequest } from '#shared/contracts/acp-session.ts';
import type { CommandName } from '#shared/protocols/acp/commands.ts';
import { COMMANDS } from '#shared/protocols/acp/commands.ts';
import { listArtifacts } from '../artifact.ts';
import { applyTask } from '../change.ts';
import { getTask } from '../view.ts';
import { cancelTurns } from './cancel.ts';
import { choose } from './choose.ts';
import { allow } from './peer.ts';
import { statusText } from './summary.ts';
import type { Said } from './talk.ts';
import type { At } from './turn.ts';

type Run = (at: At, rest: string) => Promise<string | Said>;

/** What is answered to a command. */
export const runCommand = async (command: { name: CommandName | null; rest: string }, at: At): Promise<Said> => {
  const said = command.name === null ? unknown() : await RUN[command.name](at, command.rest);
  return typeof said === 'string' ? { text: said, links: [] } : said;
};

const unknown = (): string => `There is no such command. ${COMMANDS.map(({ name }) => `/${name}`).join(', ')}.`;

const NO_TASK =
  'This session has no task yet. Say what should be true afterwards, for example "make lint and tests pass".';

/** Does something with the last task of the session, if there is one. */
const withTask =
  (run: (task: string, at: At) => Promise<string | Said>): Run =>
  async (at) => {
    const { sessions, tasks } = at.peer.door.ports;
    const last = await sessions.lastSubmitted(at.turn.tenant, at.turn.session);
    const record = last === undefined ? undefined : await tasks.load(at.turn.tenant, last.task);
    return record === undefined ? NO_TASK : run(record.id, at);
  };

const callOf = <P>(at: At, params: P) => ({ params, principal: at.peer.principal, door: at.peer.door });

const RUN: Record<CommandName, Run> = {
  status: withTask(async (task, at) => statusText(await getTask(callOf(at, { task })))),
  apply: withTask(async (task, at) => {
    allow(at.peer, 'approve', '/apply');
    const { files, conflicts, workspace } = await applyTask(
      callOf(at, { task, mode: 'write' as const, unaccepted: false }),
    );
    if (conflicts.length === 0) return `Written to ${workspace}: ${files.join(', ')}`;
    return `Nothing was written:\n${conflicts.map(({ path, reason }) => `- ${path}: ${reason}`).join('\n')}`;
  }),
  cancel: async (at) => {
    const isAny = await cancelTurns(at.session, at.peer, at.turn.id);
    return isAny ? 'It is being stopped.' : 'Nothing is running.';
  },
  approve: (at, rest) => approve(at, rest),
  artifacts: withTask(async (task, at) => {
    const { artifacts } = await listArtifacts(callOf(at, { task }));
    const links = artifacts.map(({ id, version, media_type, bytes }) => ({ id, version, media_type, bytes }));
    return { text: `${links.length} artifact(s) of ${task}:`, links };
  }),
  lessons: (at, rest) => lessons(at, rest),
};

/** Words a person may answer an open question with; where none is open, some say how it is to be from now on. */
const WORDS: Readonly<Record<string, string>> = {
  '': 'once',
  once: 'once',
  yes: 'once',
  always: 'always',
  no: 'refuse',
};

const RULES: Readonly<Record<string, string>> = {
  ask: 'From now on you are asked before a change is written.',
  always: 'From now on every accepted change is written.',
  never: 'From now on nothing is written until you say /apply.',
};

const approve = async (at: At, rest: string): Promise<string> => {
  allow(at.peer, 'approve', '/approve');
  const word = rest.toLowerCase().replace(/[.!]+$/, '');
  const open = await openQuestion(at);
  const option = WORDS[word];
  if (RULES[word] !== undefined && (open === undefined || option === undefined)) return rule(at, word);
  if (option === undefined)
    return 'Say /approve once, always or no; or, for all that follows, /approve ask, always or never.';
  if (open === undefined) return 'No question is open.';
  const { sessions } = at.peer.door.ports;
  const outcome = { outcome: 'selected', optionId: option };
  const isFirst = await sessions.answer(at.turn.tenant, open.id, { result: { outcome } });
  return isFirst ? 'Noted.' : 'It was answered already.';
};

const openQuestion = async ({ turn, peer }: At): Promise<AcpRequest | undefined> => {
  const { sessions } = peer.door.ports;
  const turns = await sessions.unfinished(turn.tenant, turn.session);
  const asked = (await Promise.all(turns.map(({ id }) => sessions.asked(turn.tenant, id)))).flat();
  return asked.find(({ answer, method }) => answer === null && method === 'session/request_permission');
};

const rule = async ({ peer, session }: At, value: string): Promise<string> => {
  await choose(peer, session, { id: 'approval', value });
  return RULES[value] ?? '';
};

const lessons = async ({ turn, peer }: At, rest: string): Promise<string> => {
  const text = rest === '' ? 'lint tests format types' : rest.slice(0, 4000);
  const hits = await peer.door.ports.lessons.query(turn.tenant, { text, tags: [], limit: 10 });
  if (hits.length === 0) return 'Nothing was learned about that yet.';
  return hits
    .map(({ lesson }) => `- ${lesson.type}: ${lesson.advice} (${lesson.family}, ${lesson.task_id})`)
    .join('\n');
};
