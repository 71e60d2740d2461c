// How a task ran: the executions of everything below it, state by state, with times, attempts and what they cost.
import * as z from 'zod';
import { Budget } from './budget.ts';

/**
 * One event of an execution, with the names of Step Functions' GetExecutionHistory; `at` in ms since 1970. `previous` is the id of the event before it in
 * the same branch; `name` is the state's where the event says it.
 */
export const ExecutionEvent = z.object({
  id: z.int(),
  previous: z.int(),
  type: z.string(),
  at: z.int(),
  name: z.string().nullable(),
  error: z.string().nullable(),
});
export type ExecutionEvent = z.infer<typeof ExecutionEvent>;

/** A visit of a state. `attempts` counts the invocations of its step; `left_at` is null while it is in it. */
export const TraceState = z.object({
  name: z.string(),
  entered_at: z.int(),
  left_at: z.int().nullable(),
  attempts: z.int(),
  error: z.string().nullable(),
});
export type TraceState = z.infer<typeof TraceState>;

/** One execution. `link` leads to it in the console of the cloud, null where there is none. */
export const TraceExecution = z.object({
  name: z.string(),
  status: z.string(),
  started_at: z.int(),
  ended_at: z.int().nullable(),
  transitions: z.int(),
  states: z.array(TraceState),
  link: z.url().nullable(),
});
export type TraceExecution = z.infer<typeof TraceExecution>;

/** A task or review with its executions, one for each generation, and what it spent itself (null for a review that has no ledger). */
export const TraceNode = z.object({
  record: z.string(),
  kind: z.enum(['task', 'review']),
  holon: z.string(),
  state: z.string(),
  iterations: z.int(),
  spent: Budget.nullable(),
  executions: z.array(TraceExecution),
  get children() {
    return z.array(TraceNode);
  },
});
export type TraceNode = z.infer<typeof TraceNode>;

/** `trace_id` is the one in every message's `traceparent` (W3C). `transitions` and `usd_micros` are of everything below. */
export const Trace = z.object({
  task: z.string(),
  trace_id: z.string(),
  transitions: z.int(),
  usd_micros: z.object({ transitions: z.int(), spent: z.int() }),
  tree: TraceNode,
});
export type Trace = z.infer<typeof Trace>;
