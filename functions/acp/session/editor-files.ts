// Writing a change through the editor, where it offers that: its unsaved buffers are read first, and a file that is not as it was when the
// task began is left alone, all of the change with it. What no editor can write (links, binaries, deletions) the host writes.
import type { AcpConnection, AcpRequest, AcpTurn } from '#shared/contracts/acp-session.ts';
import type { ChangeSet, FileChange } from '#shared/contracts/workspace.ts';
import { bytesOf, MOST_BYTES } from '#shared/protocols/acp/fit.ts';
import { ReadAnswer } from '#shared/protocols/acp/params.ts';
import { changesOfTurn } from './apply.ts';
import { requestOf } from './approve.ts';
import { type At, finish, type Stage, say } from './turn.ts';

/** More files than this are the host's to write: each is a question and an answer. */
const MOST_FILES = 50;

/** Asks for the editor's view of every file, compares it, and hands on to who writes. */
export const reading: Stage = async (at) => {
  if (at.turn.cancel !== null) return finish(at);
  const { root, changes } = await changesOfTurn(at);
  const client = await clientOf(at);
  if (client?.reads !== true || changes.files.length > MOST_FILES) return { ...at.turn, stage: 'applying' };
  const paths = changes.files.map(({ path }) => ({ path: `${root}/${path}` }));
  const asked = await askAll(at, 'fs/read_text_file', paths);
  if (!isAnswered(at, asked)) return undefined;
  const conflicts = changes.files.flatMap((file, n) => conflictOf(file, asked[n]?.answer ?? null));
  if (conflicts.length > 0) return applied(at, { files: [], conflicts });
  if (!client.writes || !isEditorWritable(changes)) return { ...at.turn, stage: 'applying' };
  return { ...at.turn, stage: 'writing' };
};

/** The editor writes every file; one that it cannot write is told with what it says. */
export const writing: Stage = async (at) => {
  const { root, changes } = await changesOfTurn(at);
  const files = changes.files.map((file) => ({ path: `${root}/${file.path}`, content: file.after?.text ?? '' }));
  const asked = await askAll(at, 'fs/write_text_file', files);
  if (!isAnswered(at, asked)) return undefined;
  const conflicts = changes.files.flatMap(({ path }, n) => {
    const answer = asked[n]?.answer ?? null;
    return answer !== null && 'result' in answer ? [] : [{ path, reason: `the editor did not write it${why(answer)}` }];
  });
  return applied(at, { files: changes.files.map(({ path }) => path), conflicts });
};

/** Who is asked: the client that answered the question, else the one that sent the prompt. */
const clientOf = async ({ turn, peer }: At): Promise<AcpConnection | undefined> => {
  const { sessions } = peer.door.ports;
  const asked = await sessions.request(turn.tenant, `perm_${turn.id}`);
  return sessions.connection(peer.principal, asked?.sent_to ?? turn.caller.connection);
};

type Asked = 'fs/read_text_file' | 'fs/write_text_file';

/** The requests of this stage, in the order of the files. Asking again asks nothing. */
const askAll = async (at: At, method: Asked, files: readonly object[]): Promise<AcpRequest[]> => {
  const { sessions } = at.peer.door.ports;
  const ids = files.map((_, n) => `${method === 'fs/read_text_file' ? 'read' : 'write'}_${at.turn.id}_${n}`);
  for (const [n, file] of files.entries()) {
    const params = { sessionId: at.turn.session, ...file };
    await sessions.ask({ ...requestOf(at, ids[n] ?? ''), method, params });
  }
  const asked = await sessions.asked(at.turn.tenant, at.turn.id);
  return ids.flatMap((id) => asked.filter((request) => request.id === id));
};

/** Past the deadline what is missing counts as not answered. */
const isAnswered = ({ peer }: At, asked: readonly AcpRequest[]): boolean =>
  asked.every(({ answer, deadline }) => answer !== null || deadline <= peer.door.ports.clock.now());

type Conflict = { path: string; reason: string };

/** Only text is compared: an editor has no view of a binary file or a link. */
const conflictOf = ({ path, before }: FileChange, answer: AcpRequest['answer']): Conflict[] => {
  if (answer === null) return [{ path, reason: 'the editor did not say what it holds' }];
  if (before !== null && (before.text === undefined || before.mode === 'link')) return [];
  const isSame = heldIn(answer) === (before?.text ?? null);
  return isSame ? [] : [{ path, reason: 'it is not as it was when the task began (unsaved changes?)' }];
};

/** An editor answers with an error for a file that is not there; for one that is to be added that is as it should be. */
const heldIn = (answer: NonNullable<AcpRequest['answer']>): string | null => {
  const read = 'result' in answer ? ReadAnswer.safeParse(answer.result) : undefined;
  return read?.success === true ? read.data.content : null;
};

const isEditorWritable = ({ files }: ChangeSet): boolean =>
  files.every(({ before, after }) => {
    const isPlain = after?.text !== undefined && after.mode === (before?.mode ?? 'file') && after.mode !== 'link';
    return isPlain && bytesOf(after?.text ?? '') < MOST_BYTES - 2048;
  });

const why = (answer: AcpRequest['answer']): string => (answer !== null && 'error' in answer ? `: ${answer.error}` : '');

const applied = async (at: At, what: { files: string[]; conflicts: Conflict[] }): Promise<AcpTurn> => {
  await say(at, { event: 'applied', turn: at.turn.id, task: at.turn.task, by: 'editor', ...what });
  return finish(at);
};
