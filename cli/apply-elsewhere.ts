// `hca apply` for a task of a host elsewhere whose folder is here: the change comes from the host and is written by this command.
import { existsSync } from 'node:fs';
import { applyHere } from '#local/snapshot-here.ts';
import type { Door } from '#shared/client/door.ts';
import type { Applied } from '#shared/contracts/acp-task.ts';
import { HcaFault } from '#shared/contracts/errors.ts';
import type { App } from './app.ts';
import { changesOf } from './change-set.ts';

interface Asked {
  task: string;
  mode: Applied['mode'];
  unaccepted: boolean;
}

/** Undefined when the folder is the host's own: then the host writes it. @throws HcaFault HcaRefused as a host would */
export const applyElsewhere = async (app: App, door: Door, asked: Asked): Promise<Applied | undefined> => {
  const { artifact, workspace, elsewhere } = await door.call('_hca/task/diff', { task: asked.task });
  if (!elsewhere) return undefined;
  const { task, outcome } = await door.call('_hca/task/get', { task: asked.task });
  if (artifact === null) throw refused(`the task ${task} has made no change`, 'hca status shows how far it came');
  if (outcome !== 'accepted' && !asked.unaccepted) {
    const remedy = 'look at it with hca diff, then use --unaccepted if you want it all the same';
    throw refused(`the change of ${task} was not accepted by a review: it is ${outcome}`, remedy);
  }
  if (!existsSync(workspace))
    throw refused(`there is no folder ${workspace} here`, 'hca diff > change.patch, then git apply it');
  const changes = await changesOf(door, artifact);
  const how = await applyHere(app.home, workspace, { changes, mode: asked.mode });
  const conflicts = 'conflicts' in how ? how.conflicts.map(({ path, reason }) => ({ path, reason })) : [];
  return { task, workspace, mode: asked.mode, files: 'applied' in how ? how.applied : [], conflicts };
};

const refused = (message: string, remedy: string): HcaFault =>
  new HcaFault('HcaRefused', { message, field: 'task', remedy });
