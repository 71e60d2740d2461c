// What the states of all executions share, and what those of one execution, one scope and one visit share.
import type { Activity } from '#local/asl/activity.ts';
import type { Archive } from '#local/asl/archive.ts';
import type { Cancel, Halted } from '#local/asl/cancel.ts';
import type { Clock } from '#local/asl/clock.ts';
import type { ErrorOutput } from '#local/asl/errors.ts';
import type { AttemptKey, Journal } from '#local/asl/journal.ts';
import type { Graph, Machine, Node } from '#local/asl/nodes.ts';
import type { Sealed } from '#local/asl/payload.ts';
import type { AttemptRow, TokenOutcome, VisitRow } from '#local/asl/rows.ts';

/** One runner. */
export interface World {
  readonly journal: Journal;
  readonly archive: Archive;
  readonly clock: Clock;
  readonly activity: Activity;
  /** The tokens somebody in this process waits for. The journal decides whether an answer counts; this only wakes the waiter. */
  readonly tokens: Map<string, TokenWait>;
  /** Uniform in [0, 1), for jitter. */
  random(): number;
  invoke(functionName: string, payload: unknown): Promise<unknown>;
  /** Runs a scope to its end; how a Map runs its iterations. */
  runScope(scope: Scope): Promise<Ending>;
}

/** One state that waits for its token. */
export interface TokenWait {
  answered(outcome: TokenOutcome): void;
  heartbeat(): void;
}

/** One execution while it is in memory. */
export interface Run {
  readonly id: number;
  readonly machine: Machine;
  readonly name: string;
  readonly input: Sealed;
  readonly cancel: Cancel;
  readonly context: Pick<Context, 'Execution' | 'StateMachine'>;
  /** The visits in progress: for describing and the history, nothing else. */
  readonly live: Set<Visit>;
  /** Where each scope stood when the execution was read from the journal; undefined for one started here. */
  readonly restored: ReadonlyMap<string, Position> | undefined;
}

/** Where a scope stands according to the journal: its last visit, and the variables set in it so far. */
export interface Position {
  last: VisitRow;
  vars: Readonly<Record<string, unknown>>;
}

/** One run through a graph: the machine, or one iteration of a Map. */
export interface Scope {
  readonly world: World;
  readonly run: Run;
  readonly graph: Graph;
  /** '' for the machine; `<path>/<visit>.<attempt>.<index>` for an iteration. */
  readonly path: string;
  readonly cancel: Cancel;
  /** The item of the innermost Map around. */
  readonly item: MapItem | undefined;
  input: Sealed;
  vars: Readonly<Record<string, unknown>>;
  /** The number of the next visit, and the state to visit. */
  visit: number;
  next: string;
  /** True for the first visit after a restart: the journal may know more about it. */
  recall: boolean;
}

export interface MapItem {
  readonly Index: number;
  readonly Value: unknown;
}

/** How a scope ended. */
export type Ending = { readonly output: Sealed } | { readonly error: ErrorOutput } | Halted;

/** One visit of a state. */
export interface Visit {
  readonly scope: Scope;
  readonly node: Node;
  readonly number: number;
  readonly entered: number;
  /** Which attempt this is, from 0; how often each retrier was used. */
  attempt: number;
  counters: readonly number[];
  /** What the journal knows of this attempt, after a restart or a retry. */
  memo: Memo | undefined;
}

export type Memo = Omit<AttemptRow, 'path' | 'visit' | 'attempt' | 'state'>;

/** How a visit ends: where to, with what. `next` null ends the scope, `failure` says why it did not go well. */
export interface Leave {
  readonly next: string | null;
  readonly output: Sealed;
  readonly assign: Sealed | undefined;
  readonly failure: ErrorOutput | null;
}

/** The context object, a subset of Step Functions'. */
export interface Context {
  readonly Execution: {
    readonly Id: string;
    readonly Name: string;
    readonly Input: unknown;
    readonly StartTime: string;
    readonly RedriveCount: number;
  };
  readonly StateMachine: { readonly Id: string; readonly Name: string };
  readonly State: { readonly Name: string; readonly EnteredTime: string; readonly RetryCount: number };
  readonly Task?: { readonly Token: string };
  readonly Map?: { readonly Item: MapItem };
}

/** The journal key of a visit's current attempt. */
export function attemptKey(visit: Visit): AttemptKey {
  return { execution: visit.scope.run.id, path: visit.scope.path, visit: visit.number, attempt: visit.attempt };
}
