// A task that is over goes on as a successor (`continues`): same goal and folder, from the last artifact (requirements section 3, end).
import type { HcaFault as Fault } from '#shared/contracts/errors.ts';
import { HcaFault } from '#shared/contracts/errors.ts';
import type { TaskRecord } from '#shared/contracts/task.ts';
import { isTerminal } from '#shared/domain/lifecycle.ts';
import { findRoot } from './find.ts';
import { checkTasks } from './limits.ts';
import type { Handler } from './ports.ts';
import { create } from './submit.ts';
import { budgetOf } from './terms.ts';
import { sourceAgain } from './where.ts';

export const retryTask: Handler<'_hca/task/retry'> = async ({ params, principal, door }) => {
  const { ports } = door;
  const { tenant, subject: owner } = principal;
  const old = await findRoot({ principal, tasks: ports.tasks }, params.task);
  if (!isTerminal(old.state)) throw stillOpen(old);
  if (old.spec.workspace === null) throw noWorkspace(old);
  await checkTasks(door, principal);
  const source = await sourceAgain(old.spec.workspace, { principal, door });
  // An artifact is a change to one exact tree: it can be gone on from only while the folder is as it was.
  const untouched = source.workspace.tree === old.spec.workspace.tree;
  const budget = params.budget === undefined ? old.constraints.budget : budgetOf(params.budget);
  const { goal, criteria } = old.spec;
  return create(
    ports,
    {
      goal,
      criteria,
      budget,
      retries: params.retries ?? old.constraints.retries,
      harness: old.spec.harness,
      ...(params.id === undefined ? {} : { id: params.id }),
    },
    { tenant, owner, source, continues: old.id, start_from: untouched ? lastArtifact(old) : null },
  );
};

/** The newest change set a task made, whether it was accepted or not. */
export const lastArtifact = (task: TaskRecord): TaskRecord['artifact'] =>
  task.result?.artifact ?? task.artifact ?? task.escalation?.artifact ?? task.spec.start_from;

const stillOpen = (task: TaskRecord): Fault =>
  new HcaFault('HcaRefused', {
    message: `the task ${task.id} is not over yet: it is ${task.state}`,
    field: 'task',
    remedy: 'wait for it (hca watch) or cancel it first (hca cancel)',
  });

const noWorkspace = (task: TaskRecord): Fault =>
  new HcaFault('HcaRefused', {
    message: `the task ${task.id} had no workspace`,
    field: 'workspace',
    remedy: 'start a new one with hca run',
  });
