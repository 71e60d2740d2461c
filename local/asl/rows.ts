// What the journal keeps, as the rest of the runner sees it.
import * as z from 'zod';

/** How an execution stands; all but RUNNING are final. */
export const ExecutionStatus = z.enum(['RUNNING', 'SUCCEEDED', 'FAILED', 'TIMED_OUT', 'ABORTED']);
export type ExecutionStatus = z.infer<typeof ExecutionStatus>;

const Json = z.string().transform((text): unknown => JSON.parse(text));
const ErrorOutput = z.object({ Error: z.string(), Cause: z.string() });
const ErrorJson = Json.pipe(ErrorOutput);

/** One execution. Times are milliseconds since 1970. */
export const ExecutionRow = z.object({
  id: z.int(),
  machine: z.string(),
  name: z.string(),
  input: Json,
  status: ExecutionStatus,
  started: z.int(),
  deadline: z.int().nullable(),
  ended: z.int().nullable(),
  output: Json.nullable(),
  error: z.string().nullable(),
  cause: z.string().nullable(),
});
export type ExecutionRow = z.infer<typeof ExecutionRow>;

/** One completed visit of a state. `next` null ends its scope: with `failure` set it failed, else `output` is the scope's. */
export const VisitRow = z.object({
  path: z.string(),
  visit: z.int(),
  state: z.string(),
  type: z.string(),
  entered: z.int(),
  exited: z.int(),
  next: z.string().nullable(),
  output: Json,
  assign: Json.pipe(z.record(z.string(), z.unknown())).nullable(),
  failure: ErrorJson.nullable(),
});
export type VisitRow = z.infer<typeof VisitRow>;

/** What must be remembered of an attempt in flight: retries, timers, tokens, the items of a Map. */
export const AttemptDetail = z.object({
  /** When the state was entered, and when this attempt began or is to begin. */
  entered: z.int(),
  begins: z.int(),
  /** Set while a retry waits for its time; an attempt that has begun does not have it, whatever the clock says later. */
  due: z.int().optional(),
  /** How often each retrier was used in this visit. */
  counters: z.array(z.int()),
  /** The failure that this attempt follows. */
  after: ErrorOutput.extend({ at: z.int() }).optional(),
  /** When a Wait is over or a token lapses. */
  until: z.int().optional(),
  /** A Map's items, the inputs of its iterations where they differ, and how many run at once. */
  items: z.array(z.unknown()).optional(),
  inputs: z.array(z.unknown()).optional(),
  limit: z.int().optional(),
});
export type AttemptDetail = z.infer<typeof AttemptDetail>;

/** How a token was answered. */
export const TokenOutcome = z.union([
  z.object({ output: z.unknown(), at: z.int() }),
  z.object({ error: z.string(), cause: z.string(), at: z.int() }),
]);
export type TokenOutcome = z.infer<typeof TokenOutcome>;

/** One journalled attempt. `invoked` is when the function that was handed the token had returned. */
export const AttemptRow = z.object({
  path: z.string(),
  visit: z.int(),
  attempt: z.int(),
  state: z.string(),
  detail: Json.pipe(AttemptDetail),
  token: z.string().nullable(),
  invoked: z.int().nullable(),
  outcome: Json.pipe(TokenOutcome).nullable(),
});
export type AttemptRow = z.infer<typeof AttemptRow>;
