// Stopping what is below a task: nothing runs on under a parent that is over (pitfalls 11 and 12; architecture section 3, Cancel).
import type { TaskRecord } from '#shared/contracts/task.ts';
import { isTerminal } from '#shared/domain/lifecycle.ts';
import type { TasksRead } from '#shared/ports/tasks.ts';
import type { Say } from '../step.ts';

/** Every child of a task that has not ended, whether it agreed or not. */
export const openChildren = async (record: TaskRecord, { tasks }: { tasks: TasksRead }): Promise<TaskRecord[]> => {
  const below = await tasks.below(record.tenant, record.root);
  return below.flatMap((one) =>
    one.kind === 'task' && one.parent?.task === record.id && !isTerminal(one.state) ? [one] : [],
  );
};

/** What stops a child. `how`: what became of its parent. */
export const stopChild = (child: TaskRecord, how: string): Say => ({
  method: 'hca/task/cancel',
  to: child.holon,
  task: child.id,
  params: { cause: `${child.from} ${how}` },
});
