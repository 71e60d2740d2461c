// The history of an execution, derived from its journal rows when somebody asks: it costs the running nothing.
import type { Archive } from '#local/asl/archive.ts';
import type { HistoryEvent } from '#local/asl/history-event.ts';
import { mapEvents, type Seen, type Source, taskEvents, visitsOf } from '#local/asl/history-states.ts';
import type { AttemptRow, ExecutionRow, VisitRow } from '#local/asl/rows.ts';
import type { ExecutionName } from '#local/asl/runner.ts';
import { Timeline } from '#local/asl/timeline.ts';
import type { Run } from '#local/asl/world.ts';

/** Every event so far; visits in progress are known where the execution runs in this process (`run`). */
export function historyOf(archive: Archive, execution: ExecutionName, run: Run | undefined): HistoryEvent[] {
  const row = archive.named(execution.machine, execution.name);
  if (row === undefined) return [];
  const source = sourceOf(archive, row, run);
  source.line.add('ExecutionStarted', row.started, { input: row.input });
  scopeEvents(source, '', row.input);
  if (row.ended !== null) source.line.add(ENDS[row.status] ?? 'ExecutionFailed', row.ended, endDetails(row));
  return source.line.events();
}

const ENDS: Readonly<Record<string, string>> = {
  SUCCEEDED: 'ExecutionSucceeded',
  FAILED: 'ExecutionFailed',
  TIMED_OUT: 'ExecutionTimedOut',
  ABORTED: 'ExecutionAborted',
};

function endDetails(row: ExecutionRow): object {
  return row.error === null ? { output: row.output } : { error: row.error, cause: row.cause ?? '' };
}

function sourceOf(archive: Archive, row: ExecutionRow, run: Run | undefined): Source {
  const visits: VisitRow[] = archive.visits(row.id);
  const attempts: AttemptRow[] = archive.attempts(row.id);
  return {
    line: new Timeline(),
    visits: Map.groupBy(visits, (visit) => visit.path),
    attempts: Map.groupBy(attempts, (attempt) => `${attempt.path}:${attempt.visit}`),
    live: Map.groupBy(run?.live ?? [], (visit) => visit.scope.path),
    scope: scopeEvents,
  };
}

/** The events of one scope, in the order of its visits. */
function scopeEvents(source: Source, path: string, input: unknown): void {
  let entering = input;
  for (const seen of visitsOf(source, path)) {
    visitEvents(source, seen, entering);
    entering = seen.done?.output;
  }
}

function visitEvents(source: Source, seen: Seen, input: unknown): void {
  const { line } = source;
  line.add(`${seen.type}StateEntered`, seen.entered, { name: seen.state, input });
  if (seen.type === 'Task') taskEvents(source, seen);
  if (seen.type === 'Map') mapEvents(source, seen);
  const { done } = seen;
  if (done === undefined || (done.failure !== null && done.next === null)) return;
  line.add(`${seen.type}StateExited`, done.exited, { name: seen.state, output: done.output });
}
