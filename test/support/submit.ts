// Submitting a task the way the door does, straight to a runtime.

import type { Runtime } from '#local/runtime.ts';
import type { Budget } from '#shared/contracts/budget.ts';
import type { Workspace } from '#shared/contracts/offer.ts';
import type { TaskRecord } from '#shared/contracts/task.ts';
import { DEFAULT_BUDGET } from '#shared/domain/budget.ts';
import { machineFor } from '#shared/domain/machines.ts';
import { newTask } from '#shared/domain/records.ts';
import { traceOf } from '#shared/domain/trace-context.ts';

export const TENANT = 'local';

export interface Submission {
  goal: string;
  to?: string;
  family?: string | null;
  workspace?: Workspace | null;
  budget?: Partial<Budget>;
  retries?: number;
}

/** Puts the record, the ledger and the offer; answers with the task's id. */
export const submit = async (house: Runtime, what: Submission): Promise<string> => {
  const { ports } = house;
  const id = ports.clock.ulid();
  const to = what.to ?? 'root';
  const now = ports.clock.now();
  const budget = { ...DEFAULT_BUDGET, ...what.budget };
  const spec = {
    goal: what.goal,
    family: what.family ?? null,
    criteria: [],
    workspace: what.workspace ?? null,
    start_from: null,
  };
  const constraints = {
    budget,
    retries: what.retries ?? 3,
    deadline: now + 2 * budget.time_ms,
    policy: await ports.holons.policy(TENANT),
  };
  const machine = machineFor(await ports.holons.get(TENANT, to));
  const record = newTask(
    { tenant: TENANT, id, holon: to, now },
    { from: 'user', parent: null, continues: null, state: 'submitted', machine },
    { spec, constraints },
  );
  await ports.tasks.put(record);
  await ports.ledger.open(TENANT, id, budget);
  await ports.messages.publish([
    {
      jsonrpc: '2.0',
      id: `${id}:0:0`,
      tenant: TENANT,
      from: 'user',
      to,
      task: id,
      root_task: id,
      hop: 0,
      caused_by: 'user',
      sent_at: now,
      traceparent: traceOf(id, id),
      method: 'hca/task/delegate',
      params: { offer: 1, spec, constraints },
    },
  ]);
  return id;
};

/** The record of a task. */
export const taskOf = async (house: Runtime, id: string): Promise<TaskRecord> => {
  const record = await house.ports.tasks.load(TENANT, id);
  if (record?.kind !== 'task') throw new Error(`no task ${id}`);
  return record;
};
