// Machines whose death nobody swept, because it was never told, or the sweep failed, or the host died as well (architecture section 3); and
// tasks that are over and owe their lesson.
import { executionName } from '#shared/contracts/ids.ts';
import type { AnyRecord } from '#shared/contracts/task.ts';
import { isTerminal, owesLesson } from '#shared/domain/lifecycle.ts';
import type { StepPorts } from '#shared/ports/index.ts';
import type { OpenRecord } from '#shared/ports/tasks.ts';
import type { MachineName } from '#shared/ports/world.ts';

type SweepPorts = StepPorts<'sweep'>;

/** A record and the generation of its machine that died. */
export interface Dead {
  tenant: string;
  record: string;
  generation: number;
}

/** Every open task and review, among those that may have lost it, whose newest machine is dead, and every task that owes its lesson; the others are attended. */
export const deadMachines = async (ports: SweepPorts): Promise<Dead[]> => {
  const open = await ports.tasks.unattended();
  const found = await Promise.all(open.map((each) => look(each, ports)));
  return found.filter((dead) => dead !== null);
};

const look = async ({ tenant, id }: OpenRecord, ports: SweepPorts): Promise<Dead | null> => {
  const record = await ports.tasks.load(tenant, id);
  if (record === undefined) return null;
  if (owesLesson(record)) return owing(record, ports);
  const machine = machineOf(record);
  if (machine === null) return null;
  const generation = await newestDead(record, machine, ports);
  if (generation !== null) return { tenant, record: id, generation };
  await ports.tasks.attend(tenant, id);
  return null;
};

/** Attended, so that one that cannot be paid now makes room for others. */
const owing = async ({ tenant, id, generation }: AnyRecord, ports: SweepPorts): Promise<Dead> => {
  await ports.tasks.attend(tenant, id);
  return { tenant, record: id, generation };
};

const machineOf = (record: AnyRecord): MachineName | null => {
  if (record.kind === 'task') return isTerminal(record.state) ? null : 'task';
  return record.kind === 'review' && record.state !== 'told' ? 'review' : null;
};

/** Generations are started one after the other, so the newest is the last that is known; what saved the record was none before it. */
const newestDead = async (
  { id, generation: saved }: AnyRecord,
  machine: MachineName,
  { workflows }: SweepPorts,
): Promise<number | null> => {
  let dead: number | null = null;
  for (let generation = Math.max(1, saved); ; generation += 1) {
    const found = await workflows.describe(machine, executionName(id, generation));
    if (found === undefined) return dead;
    dead = found.status === 'RUNNING' || found.status === 'SUCCEEDED' ? null : generation;
  }
};
