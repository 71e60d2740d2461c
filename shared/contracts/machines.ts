// The machines by name: one for a task in a leaf, one for a task in a coordinator, one for a review (docs/decisions/0047).
import * as z from 'zod';

/** Machine of a task, by what its holon is. */
export const TaskMachine = z.enum(['leaf', 'coordinator']);
export type TaskMachine = z.infer<typeof TaskMachine>;

export const MACHINES = [...TaskMachine.options, 'review'] as const;
export const MachineName = z.enum(MACHINES);
export type MachineName = z.infer<typeof MachineName>;

/** Error with which an execution ends whose holon has become one of the other kind: the next generation runs in the other machine. */
export const OTHER_KIND = 'HcaOtherKind';
