// Stops a task and everything below it: one message down the tree; the bus and the marks do the rest (architecture 3, Cancel).
import { HcaFault } from '#shared/contracts/errors.ts';
import type { TaskRecord } from '#shared/contracts/task.ts';
import { isTerminal } from '#shared/domain/lifecycle.ts';
import { findRoot } from './find.ts';
import type { Handler } from './ports.ts';
import { cancelMessage, noteOf } from './say.ts';

/** Cancelling twice is the same cancel. @throws HcaFault HcaRefused when the task ended in another way. */
export const cancelTask: Handler<'_hca/task/cancel'> = async ({ params, principal, door }) => {
  const { ports } = door;
  const task = await findRoot({ principal, tasks: ports.tasks }, params.task);
  if (task.state === 'cancelled') return { task: task.id, state: task.state };
  if (isTerminal(task.state)) throw over(task);
  const message = cancelMessage(task, params.cause, ports.clock.now());
  await ports.journal.append(noteOf(task, message, `cancel asked: ${params.cause}`));
  await ports.messages.publish([message]);
  return { task: task.id, state: 'cancelling' };
};

const over = (task: TaskRecord): HcaFault =>
  new HcaFault('HcaRefused', {
    message: `the task ${task.id} is over: it was ${task.state}`,
    field: 'task',
    remedy: 'nothing is left to cancel',
  });
