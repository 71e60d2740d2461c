// Machines whose death nobody swept, because it was never told, or the sweep failed, or the host died as well (architecture section 3); and
// tasks that are over and owe their lesson.
import { executionName } from '#shared/contracts/ids.ts';
import type { MachineName } from '#shared/contracts/machines.ts';
import type { AnyRecord, ReviewRecord, TaskRecord } from '#shared/contracts/task.ts';
import { isTerminal, owesLesson } from '#shared/domain/lifecycle.ts';
import { machineOf, otherMachine } from '#shared/domain/machines.ts';
import type { StepPorts } from '#shared/ports/index.ts';
import type { OpenRecord } from '#shared/ports/tasks.ts';
import type { ExecutionStatus } from '#shared/ports/world.ts';

type SweepPorts = StepPorts<'sweep'>;

/** A record and the generation of it that died, in which machine. */
export interface Dead {
  tenant: string;
  record: string;
  generation: number;
  machine: MachineName;
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
  if (!isOpen(record)) return null;
  const dead = await newestDead(record, ports);
  if (dead !== null) return { tenant, record: id, ...dead };
  await ports.tasks.attend(tenant, id);
  return null;
};

/** Attended, so that one that cannot be paid now makes room for others. */
const owing = async (record: TaskRecord, ports: SweepPorts): Promise<Dead> => {
  const { tenant, id, generation } = record;
  await ports.tasks.attend(tenant, id);
  return { tenant, record: id, generation, machine: machineOf(record) };
};

type Open = TaskRecord | ReviewRecord;

const isOpen = (record: AnyRecord): record is Open =>
  record.kind === 'task' ? !isTerminal(record.state) : record.kind === 'review' && record.state !== 'told';

/**
 * Generations are started one after the other, so the newest is the last that is known; what saved the record was none before it. One that saved it
 * and is not known any more, because its machine was taken away, is as dead as one that failed.
 */
const newestDead = async (record: Open, ports: SweepPorts): Promise<Pick<Dead, 'generation' | 'machine'> | null> => {
  const [first] = machinesOf(record);
  let dead = record.generation === 0 ? null : { generation: record.generation, machine: first };
  for (let generation = Math.max(1, record.generation); ; generation += 1) {
    const found = await ranIn(record, generation, ports);
    if (found === undefined) return dead;
    const { machine, status } = found;
    dead = status === 'RUNNING' || status === 'SUCCEEDED' ? null : { generation, machine };
  }
};

/** Where a generation may have run: a task's holon may have become one of the other kind. */
const machinesOf = (record: Open): readonly [MachineName, ...MachineName[]] => {
  if (record.kind === 'review') return ['review'];
  const machine = machineOf(record);
  return [machine, otherMachine(machine)];
};

const ranIn = async (
  record: Open,
  generation: number,
  { workflows }: SweepPorts,
): Promise<(ExecutionStatus & { machine: MachineName }) | undefined> => {
  for (const machine of machinesOf(record)) {
    const found = await workflows.describe(machine, executionName(record.id, generation));
    if (found !== undefined) return { ...found, machine };
  }
  return undefined;
};
