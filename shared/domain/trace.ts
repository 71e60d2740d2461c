// What an execution went through, read from its events: the same for a history of Step Functions and for one of the embedded runner.
import type { ExecutionEvent, TraceState } from '#shared/contracts/acp-trace.ts';

/** Every visit of a state in the order of entering. In a Map the same name may be open several times: the oldest open visit takes the event. */
export function statesOf(events: readonly ExecutionEvent[]): TraceState[] {
  const states: TraceState[] = [];
  for (const event of events) take(states, event);
  return states;
}

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

function take(states: TraceState[], event: ExecutionEvent): void {
  const { type, name, at } = event;
  if (name === null) return;
  if (type.endsWith('StateEntered')) {
    states.push({ name, entered_at: at, left_at: null, attempts: 0, error: null });
    return;
  }
  const open = states.find((state) => state.name === name && state.left_at === null);
  if (open === undefined) return;
  if (type.endsWith('StateExited')) open.left_at = at;
  if (type === 'TaskScheduled' || type === 'LambdaFunctionScheduled') open.attempts += 1;
  if (FAILURES.has(type)) open.error = event.error;
}
