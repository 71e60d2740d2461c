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

/** Changes of the journal's table; of each the keys alone. */
export const JournalEvent = z.object({
  Records: z.array(
    z.object({
      eventName: z.string(),
      dynamodb: z.object({ Keys: z.object({ pk: z.object({ S: z.string() }), sk: z.object({ S: z.string() }) }) }),
    }),
  ),
});
export type JournalEvent = z.infer<typeof JournalEvent>;

/** The look of each minute at who is owed something by time. */
export const DueEvent = z.object({ due: z.literal(true) });
export type DueEvent = z.infer<typeof DueEvent>;

/** Which journals have new entries: `pk` is `tenant#root`, and the `sk` of an entry begins with `log#` (storage.ts). */
export const entriesIn = ({ Records }: JournalEvent): { tenant: string; root: string }[] =>
  Records.flatMap(({ eventName, dynamodb: { Keys } }) => {
    const [tenant, root] = Keys.pk.S.split('#');
    const isNew = eventName === 'INSERT' && Keys.sk.S.startsWith('log#');
    return isNew && tenant !== undefined && root !== undefined ? [{ tenant, root }] : [];
  });
