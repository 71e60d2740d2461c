// The runner of our Amazon States Language subset: what the rest of the house sees of local/asl (architecture section 9).
import type { DatabaseSync } from 'node:sqlite';
import type { Clock } from '#local/asl/clock.ts';
import type { HistoryEvent } from '#local/asl/history-event.ts';
import type { ExecutionStatus } from '#local/asl/rows.ts';

/** What a runner is made of. */
export interface AslOptions {
  /** May hold other tables too; ASL_MIGRATIONS must have been applied. */
  readonly db: DatabaseSync;
  /** Parsed machine files by machine name. */
  readonly machines: Readonly<Record<string, unknown>>;
  /** What each `${name}` in a machine file stands for. */
  readonly functions: Readonly<Record<string, string>>;
  /** Calls a function; a thrown Error's `name` is the ASL error name. At least once per attempt. */
  invoke(functionName: string, payload: unknown): Promise<unknown>;
  readonly clock?: Clock;
  /** Uniform in [0, 1), for jitter. */
  random?(): number;
  /** Told of every status change. An end is told at least once, also across a crash; RUNNING at most once. */
  onStatus?(change: StatusChange): void;
  /** Told when an execution cannot go on in this process (the journal refuses, a machine is gone, onStatus threw). It stays open. */
  onSuspended?(execution: ExecutionName, reason: unknown): void;
}

export interface ExecutionName {
  readonly machine: string;
  readonly name: string;
}

export interface StatusChange extends ExecutionName {
  readonly status: ExecutionStatus;
  readonly input: unknown;
}

/** `same`: it was open already with this input. */
export type StartResult =
  | { readonly kind: 'started' | 'same' }
  | {
      readonly kind: 'refused';
      readonly error: 'ExecutionAlreadyExists' | 'StateMachineDoesNotExist' | 'InvalidName' | 'InvalidExecutionInput';
    };

/** `ended`: it had ended before, as `status` says. */
export type StopResult =
  | { readonly kind: 'stopped' | 'ended'; readonly status: ExecutionStatus }
  | { readonly kind: 'unknown' };

/** An answer to a token is taken once, while its attempt waits. `InvalidOutput`: too large. */
export type TokenResult =
  | { readonly ok: true }
  | { readonly ok: false; readonly error: 'TaskDoesNotExist' | 'TaskTimedOut' | 'InvalidOutput' };

/** One execution. Times are milliseconds since 1970; `states` are those it is in right now in this process. */
export interface Execution extends StatusChange {
  readonly started: number;
  readonly ended: number | null;
  readonly output: unknown;
  readonly error: string | null;
  readonly cause: string | null;
  readonly states: readonly string[];
}

/** Runs machines. Methods throw only when the journal cannot be written or the runner is closed. */
export interface AslRunner {
  /** Opens an execution. Same name and input while open: the same one; any other use of the name is refused. */
  start(execution: ExecutionName, input: unknown): StartResult;
  describe(execution: ExecutionName): Execution | undefined;
  /** Ends an execution as ABORTED. Calls in flight are not interrupted, their results are dropped. */
  stop(execution: ExecutionName, cause: string): StopResult;
  /** All open executions, oldest first. */
  open(): readonly Execution[];
  /** What happened so far, with the event names of GetExecutionHistory; empty for an unknown execution. */
  history(execution: ExecutionName): readonly HistoryEvent[];
  succeed(token: string, output: unknown): TokenResult;
  fail(token: string, error: string, cause: string): TokenResult;
  heartbeat(token: string): TokenResult;
  /** Goes on with every open execution of the journal that is not running here, and tells ends that were never told. */
  resume(): void;
  /** Resolves when nothing can go on without a timer or an answer from outside. */
  idle(): Promise<void>;
  /** Stops everything here without ending it; no state is written after this. Executions stay open for the next resume. */
  close(): Promise<void>;
}
