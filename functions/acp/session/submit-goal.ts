// A goal of a prompt becomes a task, through the same submission that every door uses; "also do X" goes on from the session's last artifact.

import type { AcpTurn, SessionOptions } from '#shared/contracts/acp-session.ts';
import * as Acp from '#shared/contracts/acp-task.ts';
import { HcaFault } from '#shared/contracts/errors.ts';
import type { TaskRecord } from '#shared/contracts/task.ts';
import { isTerminal } from '#shared/domain/lifecycle.ts';
import { BUDGETS, RETRIES } from '#shared/protocols/acp/choices.ts';
import { effective } from '#shared/protocols/acp/options.ts';
import { criteriaOf } from '../criteria.ts';
import { checkTasks } from '../limits.ts';
import { lastArtifact } from '../retry.ts';
import { create, submitTask } from '../submit.ts';
import { budgetOf } from '../terms.ts';
import { sourceAgain, sourceOf } from '../where.ts';
import { folderOf } from './folder.ts';
import { offersOf } from './offers.ts';
import { type At, say } from './turn.ts';

/** Submits under the turn's own task id, so that doing it again is the same task. @throws HcaFault of the submission */
export const submitGoal = async (at: At): Promise<AcpTurn> => {
  const { turn } = at;
  const previous = await previousOf(at);
  const rest = continuationOf(turn.text);
  const isMore = previous !== undefined && rest !== undefined;
  const terms = await termsOf(at, isMore ? rest : turn.text);
  if (isMore) await goOn(at, terms, previous);
  else await submitTask({ params: terms, principal: at.peer.principal, door: at.peer.door });
  await say(at, { event: 'task', turn: turn.id, task: turn.task, continues: isMore ? previous.id : null });
  return { ...turn, stage: 'running', submitted: true };
};

/** What is asked in addition to what was done, or undefined: then it stands for itself. */
export const continuationOf = (text: string): string | undefined => {
  const rest = MORE.map((pattern) => pattern.exec(text)?.[1]).find((found) => found !== undefined);
  return rest?.trim() || undefined;
};

/** How people ask for more: at the beginning or at the end. Words that may begin a goal of their own need a comma behind them. */
const MORE: readonly RegExp[] = [
  /^\s*(?:please\s+)?(?:and\s+|but\s+|now\s+)?(?:also|then|additionally|in addition|after that|furthermore|moreover)(?:[,:]|\s+-)?\s+(?:please[,]?\s+)?(.+)$/is,
  /^\s*(?:next|plus|besides|now|oh|one more thing)\s*(?:[,:]|\s-)\s*(?:please[,]?\s+)?(?:also\s+)?(.+)$/is,
  /^\s*(?:please\s+)?(.+?),?\s+(?:too|as well|on top of that)[\s.!]*$/is,
];

/** What the client gave beside the text counts more than the session's options. */
const termsOf = async ({ turn, session, peer }: At, goal: string): Promise<Acp.Submit> => {
  const read = Acp.Submit.safeParse({
    goal,
    ...preferred(effective(session.options, await offersOf(peer))),
    ...turn.given,
    workspace: folderOf(turn, session),
    id: turn.task,
  });
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw new HcaFault('HcaBadInput', {
    message: `${issue?.path.map(String).join('.') || 'prompt'}: ${issue?.message ?? 'not as declared'}`,
    field: issue?.path.map(String).join('.') || 'prompt',
  });
};

const preferred = ({ budget, effort, harness, model }: SessionOptions): Partial<Acp.Submit> => ({
  retries: RETRIES[effort],
  ...(BUDGETS[budget] === undefined ? {} : { budget: BUDGETS[budget] }),
  ...(harness === null ? {} : { harness }),
  ...(model === null ? {} : { model }),
});

const previousOf = async ({ turn, peer }: At): Promise<TaskRecord | undefined> => {
  const { sessions, tasks } = peer.door.ports;
  const last = await sessions.lastSubmitted(turn.tenant, turn.session);
  const record = last === undefined ? undefined : await tasks.load(turn.tenant, last.task);
  return record?.kind === 'task' && isTerminal(record.state) ? record : undefined;
};

/** An artifact is a change to one exact tree: it is gone on from while the folder is as it was; one that was applied is in the folder. */
const goOn = async (at: At, terms: Acp.Submit, previous: TaskRecord): Promise<void> => {
  const { principal, door } = at.peer;
  // Done again it is no new task.
  if ((await door.ports.tasks.load(at.turn.tenant, at.turn.task)) === undefined) await checkTasks(door, principal);
  const before = previous.spec.workspace;
  const isSame = before?.elsewhere === true && typeof terms.workspace === 'string';
  const source = isSame
    ? await sourceAgain(before, { principal, door })
    : await sourceOf(terms.workspace, { principal, door });
  const isUntouched = source.workspace.tree === before?.tree;
  await create(
    door.ports,
    { ...terms, criteria: criteriaOf(terms.criteria), budget: budgetOf(terms.budget) },
    {
      tenant: at.turn.tenant,
      owner: at.session.subject,
      source,
      continues: previous.id,
      start_from: isUntouched ? lastArtifact(previous) : null,
    },
  );
};
