// A task that cannot be planned: said with its reason, and escalated with the evidence so far (L2-ESC-02).
import type { TaskRecord } from '#shared/contracts/task.ts';
import type { Change } from '../step.ts';

/** Why a task cannot be planned; `escalate` says it with the evidence so far. */
export type Hopeless = NonNullable<TaskRecord['failing']>;

/** The change of a plan that cannot be made. */
export const giveUp = (record: TaskRecord, failing: Hopeless): Change<'plan'> => ({
  record: { ...record, failing },
  entry: { text: `cannot plan: ${failing.reason}: ${failing.detail}`.slice(0, 2000), data: { reason: failing.reason } },
  output: { word: 'escalate', deadline: record.constraints.deadline, wave: [] },
});
