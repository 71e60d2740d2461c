// The events inside a Task and inside a Map, attempt by attempt.
import type { ErrorOutput } from '#local/asl/errors.ts';
import type { AttemptRow, VisitRow } from '#local/asl/rows.ts';
import type { Timeline } from '#local/asl/timeline.ts';
import type { Visit } from '#local/asl/world.ts';

/** Where events come from: the rows of an execution, grouped. Attempts by `<path>:<visit>`. */
export interface Source {
  readonly line: Timeline;
  readonly visits: ReadonlyMap<string, readonly VisitRow[]>;
  readonly attempts: ReadonlyMap<string, readonly AttemptRow[]>;
  readonly live: ReadonlyMap<string, readonly Visit[]>;
  scope(source: Source, path: string, input: unknown): void;
}

/** A visit, completed (`done`) or in progress. */
export interface Seen {
  readonly path: string;
  readonly visit: number;
  readonly state: string;
  readonly type: string;
  readonly entered: number;
  readonly done: VisitRow | undefined;
}

/** The visits of a scope in order; the one in progress last. */
export function visitsOf(source: Source, path: string): Seen[] {
  const done = (source.visits.get(path) ?? []).map((row): Seen => ({ ...row, done: row }));
  const live = (source.live.get(path) ?? []).map(
    (visit): Seen => ({
      path,
      visit: visit.number,
      state: visit.node.name,
      type: visit.node.type,
      entered: visit.entered,
      done: undefined,
    }),
  );
  return [...done, ...live];
}

interface Attempt {
  readonly number: number;
  readonly begins: number;
  readonly row: AttemptRow | undefined;
  /** What ended it, when it did not end well. */
  readonly failure: { readonly error: ErrorOutput; readonly at: number } | undefined;
}

/** The attempts of a visit: those journalled, and a first one that needed no row. */
function attemptsOf(source: Source, seen: Seen): Attempt[] {
  const rows = source.attempts.get(`${seen.path}:${seen.visit}`) ?? [];
  const count = Math.max(0, ...rows.map((row) => row.attempt)) + 1;
  return Array.from({ length: count }, (_, number) => {
    const row = rows.find((each) => each.attempt === number);
    const after = rows.find((each) => each.attempt === number + 1)?.detail.after;
    const failure = after === undefined ? endOf(seen, number + 1 === count) : { error: after, at: after.at };
    return { number, begins: row?.detail.begins ?? seen.entered, row, failure };
  });
}

function endOf(seen: Seen, isLast: boolean): Attempt['failure'] {
  const failure = seen.done?.failure ?? null;
  return isLast && failure !== null ? { error: failure, at: seen.done?.exited ?? seen.entered } : undefined;
}

/** TaskScheduled, TaskStarted, TaskSubmitted and how it ended, for every attempt. */
export function taskEvents(source: Source, seen: Seen): void {
  for (const attempt of attemptsOf(source, seen)) taskAttempt(source.line, seen, attempt);
}

function taskAttempt(line: Timeline, seen: Seen, attempt: Attempt): void {
  const name = { name: seen.state };
  line.add('TaskScheduled', attempt.begins, name);
  line.add('TaskStarted', attempt.begins, name);
  const invoked = attempt.row?.invoked ?? null;
  if (invoked !== null) line.add('TaskSubmitted', invoked, name);
  if (attempt.failure !== undefined) addFailure(line, seen, attempt.failure);
  else if (seen.done !== undefined) line.add('TaskSucceeded', attempt.row?.outcome?.at ?? seen.done.exited, name);
}

function addFailure(line: Timeline, seen: Seen, { error, at }: { error: ErrorOutput; at: number }): void {
  line.add(FAILURES[error.Error] ?? 'TaskFailed', at, { name: seen.state, error: error.Error, cause: error.Cause });
}

const FAILURES: Readonly<Record<string, string>> = {
  'States.Timeout': 'TaskTimedOut',
  'States.HeartbeatTimeout': 'TaskTimedOut',
  'States.QueryEvaluationError': 'EvaluationFailed',
};

/** MapStateStarted, the iterations, MapStateSucceeded or MapStateFailed, for every attempt. */
export function mapEvents(source: Source, seen: Seen): void {
  for (const attempt of attemptsOf(source, seen)) {
    source.line.add('MapStateStarted', attempt.begins, { name: seen.state });
    iterationsEvents(source, seen, attempt);
    if (attempt.failure !== undefined) {
      const { error, at } = attempt.failure;
      source.line.add('MapStateFailed', at, { name: seen.state, error: error.Error, cause: error.Cause });
    } else if (seen.done !== undefined) {
      source.line.add('MapStateSucceeded', seen.done.exited, { name: seen.state });
    }
  }
}

/**
 * Iterations start in order, so one without a completed visit is known to have started where a later one left a trace; an
 * iteration stopped within its first state that is the last of all leaves none.
 */
function iterationsEvents(source: Source, seen: Seen, attempt: Attempt): void {
  const { line } = source;
  const started = line.last;
  const inputs = attempt.row?.detail.inputs ?? attempt.row?.detail.items ?? [];
  const traces = inputs.map((_, index) => visitsOf(source, `${seen.path}/${seen.visit}.${attempt.number}.${index}`));
  const known = traces.findLastIndex((visits) => visits.length > 0) + 1;
  for (const [index, visits] of traces.slice(0, known).entries()) {
    line.last = started;
    line.add('MapIterationStarted', visits[0]?.entered ?? attempt.begins, { name: seen.state, index });
    source.scope(source, `${seen.path}/${seen.visit}.${attempt.number}.${index}`, inputs[index]);
    const over = attempt.failure?.at ?? seen.done?.exited;
    addIterationEnd(line, { name: seen.state, index, last: visits.at(-1)?.done, over });
  }
}

interface IterationEnd {
  readonly name: string;
  readonly index: number;
  readonly last: VisitRow | undefined;
  readonly over: number | undefined;
}

function addIterationEnd(line: Timeline, { name, index, last, over }: IterationEnd): void {
  if (last !== undefined && last.next === null) {
    line.add(last.failure === null ? 'MapIterationSucceeded' : 'MapIterationFailed', last.exited, { name, index });
  } else if (over !== undefined) {
    line.add('MapIterationAborted', over, { name, index });
  }
}
