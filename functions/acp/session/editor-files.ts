// Writing a change through the editor, where it offers that: its unsaved buffers are read first, and a file that is not as it was when the
// task began is left alone, all of the change with it. What no editor can write (links, binaries, deletions) the host writes, if the folder is its own.
import type { AcpConnection, AcpRequest, AcpTurn } from '#shared/contracts/acp-session.ts';
import type { ChangeSet, FileChange } from '#shared/contracts/workspace.ts';
import { ReadAnswer } from '#shared/protocols/acp/params.ts';
import { changesOfTurn } from './apply.ts';
import { requestOf } from './approve.ts';
import { clientOf } from './client.ts';
import { isEditorWritable, type Left, shareOf } from './editor-share.ts';
import { type At, finish, type Stage, say } from './turn.ts';

/** More files than this are the host's to write: each is a question and an answer. */
const MOST_FILES = 50;

/** Asks for the editor's view of every file, compares it, and hands on to who writes. */
export const reading: Stage = async (at) => {
  if (at.turn.cancel !== null) return finish(at);
  const change = await changesOfTurn(at);
  const client = await clientOf(at);
  if (change.elsewhere) return readingElsewhere(at, { ...change, client });
  const { files } = change.changes;
  if (client?.reads !== true || files.length > MOST_FILES) return { ...at.turn, stage: 'applying' };
  const conflicts = await conflictsOf(at, change.root, files);
  if (conflicts === undefined) return undefined;
  if (conflicts.length > 0) return applied(at, { files: [], conflicts });
  if (!client.writes || !isEditorWritable(files)) return { ...at.turn, stage: 'applying' };
  return { ...at.turn, stage: 'writing' };
};

type Elsewhere = { root: string; changes: ChangeSet; client: AcpConnection | undefined };

/** Only the editor can reach the folder: what it cannot write is left, with all of the change as a patch. */
const readingElsewhere = async (at: At, { root, changes, client }: Elsewhere): Promise<AcpTurn | undefined> => {
  const { mine, left } = shareOf(client, changes.files);
  const conflicts = await conflictsOf(at, root, mine);
  if (conflicts === undefined) return undefined;
  if (conflicts.length > 0 || mine.length === 0) return applied(at, { files: [], conflicts, left });
  return { ...at.turn, stage: 'writing' };
};

/** What the editor holds otherwise than when the task began; undefined while it has not answered. */
const conflictsOf = async (at: At, root: string, files: readonly FileChange[]): Promise<Conflict[] | undefined> => {
  const paths = files.map(({ path }) => ({ path: `${root}/${path}` }));
  const asked = await askAll(at, 'fs/read_text_file', paths);
  if (!isAnswered(at, asked)) return undefined;
  return files.flatMap((file, n) => conflictOf(file, asked[n]?.answer ?? null));
};

/** The editor writes every file; one that it cannot write is told with what it says. */
export const writing: Stage = async (at) => {
  const { root, changes, elsewhere } = await changesOfTurn(at);
  const { mine, left } = elsewhere ? shareOf(await clientOf(at), changes.files) : { mine: changes.files, left: [] };
  const files = mine.map((file) => ({ path: `${root}/${file.path}`, content: file.after?.text ?? '' }));
  const asked = await askAll(at, 'fs/write_text_file', files);
  if (!isAnswered(at, asked)) return undefined;
  const conflicts = mine.flatMap(({ path }, n) => {
    const answer = asked[n]?.answer ?? null;
    return answer !== null && 'result' in answer ? [] : [{ path, reason: `the editor did not write it${why(answer)}` }];
  });
  const failed = new Set(conflicts.map(({ path }) => path));
  const written = mine.map(({ path }) => path).filter((path) => !failed.has(path));
  return applied(at, { files: written, conflicts, left });
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

const why = (answer: AcpRequest['answer']): string => (answer !== null && 'error' in answer ? `: ${answer.error}` : '');

type Outcome = { files: string[]; conflicts: Conflict[]; left?: Left[] };

/** The patch beside it holds all of the change, for what was left. */
const applied = async (at: At, { left = [], ...what }: Outcome): Promise<AcpTurn> => {
  const { turn, peer } = at;
  const record = left.length === 0 ? undefined : await peer.door.ports.tasks.load(turn.tenant, turn.task);
  const found = record?.kind === 'task' ? (record.result?.patch ?? record.patch) : null;
  const patch = found === null ? null : { id: found.id, version: found.version };
  await say(at, { event: 'applied', turn: turn.id, task: turn.task, by: 'editor', ...what, left, patch });
  return finish(at);
};
