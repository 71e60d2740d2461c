// What an execution went through, read from its events: the same for a history of Step Functions and for one of the embedded runner.
import type { ExecutionEvent, TraceState } from '#shared/contracts/acp-trace.ts';

/** Every visit of a state in the order of entering; in a Map the same state is visited side by side. */
export function statesOf(events: readonly ExecutionEvent[]): TraceState[] {
  const states: TraceState[] = [];
  const visits: Visits = new Map();
  for (const event of events) take(states, visits, event);
  return states;
}

/** The visit that an event belongs to, by the event's id. */
type Visits = Map<number, TraceState>;

/** Transitions that are paid for: every state entered, and every retry (AWS: "each time a step of your workflow is executed, retries included"). */
export const transitionsOf = (states: readonly TraceState[]): number =>
  states.reduce((sum, { attempts }) => sum + Math.max(1, attempts), 0);

const FAILURES: ReadonlySet<string> = new Set([
  'TaskFailed',
  'TaskTimedOut',
  'TaskStartFailed',
  'TaskSubmitFailed',
  'LambdaFunctionFailed',
  'LambdaFunctionTimedOut',
  'MapStateFailed',
  'EvaluationFailed',
]);

function take(states: TraceState[], visits: Visits, event: ExecutionEvent): void {
  const { type, name, at } = event;
  if (type.endsWith('StateEntered')) {
    const entered = { name: name ?? '', entered_at: at, left_at: null, attempts: 0, error: null };
    states.push(entered);
    visits.set(event.id, entered);
    return;
  }
  const visit = visitOf(states, visits, event);
  if (visit === undefined) return;
  visits.set(event.id, visit);
  if (type.endsWith('StateExited')) visit.left_at = at;
  if (type === 'TaskScheduled' || type === 'LambdaFunctionScheduled') visit.attempts += 1;
  if (FAILURES.has(type)) visit.error = event.error;
}

/** The visit of the event before it. What ends a Map follows the last event of an iteration: it is found by its name. */
const visitOf = (states: readonly TraceState[], visits: Visits, event: ExecutionEvent): TraceState | undefined => {
  const before = visits.get(event.previous);
  if (event.name === null || before?.name === event.name) return before;
  return states.find((state) => state.name === event.name && state.left_at === null);
};
