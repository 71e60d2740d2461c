// Machines whose death was announced but never swept, because this process died as well or the sweep failed (architecture section 3).
import { executionName } from '#shared/contracts/ids.ts';
import type { SweepInput } from '#shared/contracts/steps.ts';
import type { AnyRecord } from '#shared/contracts/task.ts';
import { isTerminal } from '#shared/domain/lifecycle.ts';
import type { Ports } from '#shared/ports/index.ts';
import type { MachineName } from '#shared/ports/world.ts';

/** The cloud's minute schedule, in ms. */
export const EVERY_MS = 60_000;
const PAGE = 1000;

type Seen = Pick<Ports, 'tasks' | 'workflows'>;

/** What is to be swept in a tenant: every open task and review whose newest machine is dead. */
export const owedSweeps = async (tenant: string, ports: Seen): Promise<SweepInput[]> => {
  const roots = await ports.tasks.roots(tenant, { limit: PAGE, open: true });
  const below = await Promise.all(roots.map(({ id }) => ports.tasks.below(tenant, id)));
  const owed: SweepInput[] = [];
  for (const record of below.flat()) {
    const machine = machineOf(record);
    const dead = machine === null ? null : await newestDead(record.id, machine, ports);
    if (dead !== null) owed.push({ tenant, machine, ...dead });
  }
  return owed;
};

const machineOf = (record: AnyRecord): MachineName | null => {
  if (record.kind === 'task') return isTerminal(record.state) ? null : 'task';
  return record.kind === 'review' && record.state !== 'told' ? 'review' : null;
};

/** Generations are started one after the other, so the newest is the last that is known. */
const newestDead = async (record: string, machine: MachineName, { workflows }: Seen) => {
  let dead: Pick<SweepInput, 'execution' | 'status'> | null = null;
  for (let generation = 1; ; generation += 1) {
    const execution = executionName(record, generation);
    const found = await workflows.describe(machine, execution);
    if (found === undefined) return dead;
    dead = found.status === 'RUNNING' || found.status === 'SUCCEEDED' ? null : { execution, status: found.status };
  }
};
