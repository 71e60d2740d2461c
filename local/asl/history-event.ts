// One event of an execution's history, with the names of Step Functions' GetExecutionHistory.

/** `id` counts from 1 in time order; `previousEventId` is the event before it in the same scope, 0 for the first. */
export interface HistoryEvent {
  readonly id: number;
  readonly previousEventId: number;
  /** Milliseconds since 1970. */
  readonly timestamp: number;
  readonly type: string;
  /** The state, or the Map of an iteration. */
  readonly name?: string;
  /** The index of a Map's iteration. */
  readonly index?: number;
  readonly input?: unknown;
  readonly output?: unknown;
  readonly error?: string;
  readonly cause?: string;
}
