// Events of the cloud host as they reach a function: only the fields that are read.
import * as z from 'zod';

/** An execution of a machine ended badly. `input` is the execution's input as text, null when it was too large to be told. */
export const StatusEvent = z.object({
  source: z.literal('aws.states'),
  detail: z.object({
    stateMachineArn: z.string(),
    name: z.string(),
    status: z.string(),
    input: z.string().nullable().default(null),
  }),
});
export type StatusEvent = z.infer<typeof StatusEvent>;

/** The input of an execution. */
export const ExecutionInput = z.object({ tenant: z.string(), task: z.string() });
export type ExecutionInput = z.infer<typeof ExecutionInput>;

/** Whom an invocation is about, in whatever it was called with: for logs and traces. */
export const About = z.object({
  record: z.string().optional(),
  execution: z.string().nullish(),
  tick: z.int().optional(),
  message: z
    .object({ id: z.string(), method: z.string(), task: z.string(), to: z.string(), traceparent: z.string() })
    .optional(),
});
export type About = z.infer<typeof About>;
