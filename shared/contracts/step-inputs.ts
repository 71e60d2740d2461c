// What a step is called with: by a machine, by a message, by the schedule (architecture section 2).
import * as z from 'zod';
import { MachineName } from './machines.ts';
import { Message } from './messages.ts';

/**
 * Input of a step that a machine calls: ids, integers and words, never content (architecture section 2, rule 4). `expects`: the word with which this very
 * machine goes straight on, where the register's row has none; `unsettled`: it asks again and is told any word.
 */
export const MachineInput = z.object({
  tenant: z.string(),
  record: z.string(),
  execution: z.string(),
  tick: z.int().min(1),
  redrive: z.int().min(0).optional(),
  retry: z.int().min(0).optional(),
  token: z.string().optional(),
  expects: z.string().optional(),
  unsettled: z.boolean().optional(),
  error: z.object({ name: z.string(), cause: z.string() }).optional(),
});
export type MachineInput = z.infer<typeof MachineInput>;

/** Input of a step that a message calls. */
export const MessageInput = z.object({ message: Message });
export type MessageInput = z.infer<typeof MessageInput>;

/** Input of `sweep`: a status change of an execution, or the minute schedule. */
export const SweepInput = z.object({
  tenant: z.string(),
  machine: MachineName.nullable(),
  execution: z.string().nullable(),
  status: z.string().nullable(),
});
export type SweepInput = z.infer<typeof SweepInput>;
