// Which machine a task runs in: fixed with its record, so that a name is never started in both (docs/decisions/0047).
import type { HolonCard } from '#shared/contracts/holon.ts';
import { OTHER_KIND, type TaskMachine } from '#shared/contracts/machines.ts';
import type { TaskRecord } from '#shared/contracts/task.ts';

/** The machine of a holon's tasks; of one that is not in the holarchy any, for none can be planned there. */
export const machineFor = (card: Pick<HolonCard, 'role'> | undefined): TaskMachine =>
  card?.role === 'leaf' ? 'leaf' : 'coordinator';

/** The machine in which a task's first generation runs. A record of before there were two does not say it: either will do, for a wrong one says so. */
export const machineOf = ({ machine }: Pick<TaskRecord, 'machine'>): TaskMachine => machine ?? 'coordinator';

/** The other machine of a task. */
export const otherMachine = (machine: TaskMachine): TaskMachine => (machine === 'leaf' ? 'coordinator' : 'leaf');

/** The machine of the next generation, from how the last one ended: that never changes, so whoever asks is told the same. */
export const nextMachine = (machine: TaskMachine, error: string | null): TaskMachine =>
  error === OTHER_KIND ? otherMachine(machine) : machine;
