// ASL errors inside the runner: one class whose name is the ASL error name, and what ErrorEquals matches (architecture section 7).

/** Step Functions' limit for anything that passes between states, in bytes of UTF-8 JSON. */
export const PAYLOAD_LIMIT = 262_144;

/** The longest cause Step Functions keeps, in characters. */
const CAUSE_LIMIT = 32_768;

/** What a Catch reads as `$states.errorOutput`, and what a failed execution carries. */
export interface ErrorOutput {
  Error: string;
  Cause: string;
}

/** An ASL error on its way to Retry and Catch. `name` is the ASL error name, `message` the cause. */
export class AslFault extends Error {
  constructor(name: string, cause: string) {
    super(cause.slice(0, CAUSE_LIMIT));
    this.name = name;
  }
}

/** The journal could not be written. The execution stays open as recorded; nothing is concluded from it. */
export class JournalFault extends Error {
  constructor(cause: unknown) {
    super(`the journal could not be written: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    this.name = 'JournalFault';
  }
}

/** The error output of anything thrown while a state ran. What is not an ASL error is a bug of the runner: States.Runtime. */
export function errorOutput(thrown: unknown): ErrorOutput {
  if (thrown instanceof AslFault) return { Error: thrown.name, Cause: thrown.message };
  return { Error: 'States.Runtime', Cause: thrown instanceof Error ? thrown.message : String(thrown) };
}

/** The ASL error of something a function threw: its name, and a cause shaped like Lambda's. What is no Error is Lambda.Unknown. */
export function functionFault(thrown: unknown): AslFault {
  const known = thrown instanceof Error;
  const name = known && thrown.name !== '' ? thrown.name : 'Lambda.Unknown';
  const errorMessage = known ? thrown.message : String(thrown);
  return new AslFault(name, JSON.stringify({ errorMessage, errorType: name, trace: [] }));
}

/** Errors that no wildcard matches. */
const TERMINAL = new Set(['States.Runtime', 'States.DataLimitExceeded']);

/** A lapsed heartbeat is also a timeout. */
const TIMEOUTS = new Set(['States.Timeout', 'States.HeartbeatTimeout']);

/** True when a Retry or Catch with these ErrorEquals is for this error. States.Runtime always ends the execution. */
export function matches(errorEquals: readonly string[], error: string): boolean {
  if (error === 'States.Runtime') return false;
  return errorEquals.some((pattern) => pattern === error || isCovered(pattern, error));
}

function isCovered(pattern: string, error: string): boolean {
  if (pattern === 'States.Timeout') return TIMEOUTS.has(error);
  if (TERMINAL.has(error)) return false;
  if (pattern === 'States.TaskFailed') return !TIMEOUTS.has(error);
  return pattern === 'States.ALL';
}
