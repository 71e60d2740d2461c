// A turn while its task runs: it waits for the task's last entry, tells the result, and asks what is to become of the change.

import type { AcpTurn } from '#shared/contracts/acp-session.ts';
import type { FileRow } from '#shared/contracts/acp-task.ts';
import type { TaskRecord } from '#shared/contracts/task.ts';
import { isTerminal } from '#shared/domain/lifecycle.ts';
import { diffTask } from '../change.ts';
import { getTask } from '../view.ts';
import { afterResult } from './approve.ts';
import { resultText } from './summary.ts';
import { type At, endOf, finish, type Stage, say } from './turn.ts';

export const running: Stage = async (at) => {
  const { turn, session, peer } = at;
  const record = await peer.door.ports.tasks.load(turn.tenant, turn.task);
  if (record?.kind !== 'task') return finish(at);
  if (await isOver(at, record)) return conclude(at, record);
  const isAgreed = record.answer?.answer === 'accept';
  return session.options.answer === 'accepted' && isAgreed && turn.open ? answerNow(at) : undefined;
};

/** A terminal record alone is not enough: its entry is the last thing that is written, and everything of it must be shown first. */
const isOver = async ({ peer }: At, record: TaskRecord): Promise<boolean> =>
  isTerminal(record.state) && (await peer.door.ports.journal.has(record.tenant, record.id, record.version));

/** The prompt is answered, the task goes on, and so do its updates. */
const answerNow = async (at: At): Promise<AcpTurn> => {
  await say(at, endOf(at.turn, null));
  return { ...at.turn, open: false };
};

const conclude = async (at: At, record: TaskRecord): Promise<AcpTurn> => {
  const { principal, door } = at.peer;
  const view = await getTask({ params: { task: record.id }, principal, door });
  const { files, artifact, workspace } = await diffTask({ params: { task: record.id }, principal, door });
  await say(at, {
    event: 'result',
    turn: at.turn.id,
    task: record.id,
    outcome: view.outcome,
    text: resultText(view, files),
    spent: view.spent,
    budget: view.budget,
  });
  const isTakeable = view.outcome === 'accepted' && files.length > 0 && at.turn.cancel === null && at.turn.open;
  if (!isTakeable || artifact === null) return finish(at);
  const change = {
    root: workspace,
    artifact: { id: artifact.id, version: artifact.version },
    files: files.map(shownFile),
  };
  return afterResult(at, { event: 'change', turn: at.turn.id, task: record.id, ...change });
};

const shownFile = ({ path, change, added, removed }: FileRow) => ({ path, change, added, removed });
