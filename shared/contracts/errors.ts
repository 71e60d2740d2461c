// Faults and the one table per edge that translates them (architecture section 10).
// An expected thing (a failed verdict, a rejection, a counter) is data and never appears here.

/** Every fault a step, a port or a door may throw. The code is the error name that ASL's Retry and Catch match. */
export const FAULTS = {
  HcaBadInput: { retryable: false, rpc: -32602, http: 400, exit: 2 },
  HcaNotFound: { retryable: false, rpc: -32001, http: 404, exit: 2 },
  HcaUnauthenticated: { retryable: false, rpc: -32000, http: 401, exit: 2 },
  HcaDenied: { retryable: false, rpc: -32003, http: 403, exit: 2 },
  HcaRefused: { retryable: false, rpc: -32004, http: 409, exit: 2 },
  HcaTooLarge: { retryable: false, rpc: -32005, http: 413, exit: 2 },
  HcaCancelled: { retryable: false, rpc: -32800, http: 409, exit: 5 },
  HcaStale: { retryable: false, rpc: -32603, http: 409, exit: 1 },
  HcaMore: { retryable: false, rpc: -32603, http: 503, exit: 1 },
  HcaUnsettled: { retryable: false, rpc: -32603, http: 409, exit: 1 },
  HcaSandbox: { retryable: false, rpc: -32603, http: 500, exit: 1 },
  HcaCorrupt: { retryable: false, rpc: -32603, http: 500, exit: 1 },
  HcaInternal: { retryable: false, rpc: -32603, http: 500, exit: 1 },
  HcaConflict: { retryable: true, rpc: -32603, http: 409, exit: 1 },
  HcaUnavailable: { retryable: true, rpc: -32603, http: 503, exit: 6 },
  HcaThrottled: { retryable: true, rpc: -32029, http: 429, exit: 6 },
} as const;

export type FaultCode = keyof typeof FAULTS;

/** Exit codes of the command line, one for each way a task or a command can end. */
export const EXIT = {
  accepted: 0,
  internal: 1,
  bad_input: 2,
  escalated: 3,
  rejected: 4,
  cancelled: 5,
  unavailable: 6,
} as const;

/** What a fault is thrown with: a sentence for a person, the field at fault and the remedy where there is one. */
export interface FaultOptions {
  message: string;
  field?: string;
  remedy?: string;
  retryable?: boolean;
  /** When asking again may help, in ms from now. */
  retry_after_ms?: number;
  cause?: unknown;
}

/** A fault: `name` is the code, so the ASL runner and Step Functions see the same error name. */
export class HcaFault extends Error {
  readonly code: FaultCode;
  readonly field: string | undefined;
  readonly remedy: string | undefined;
  readonly retryable: boolean;
  readonly retry_after_ms: number | undefined;

  constructor(code: FaultCode, options: FaultOptions) {
    super(options.message, { cause: options.cause });
    this.name = code;
    this.code = code;
    this.field = options.field;
    this.remedy = options.remedy;
    this.retryable = options.retryable ?? FAULTS[code].retryable;
    this.retry_after_ms = options.retry_after_ms;
  }
}

/** Narrows anything caught to a fault. */
export const isFault = (value: unknown): value is HcaFault => value instanceof HcaFault;

/** Turns anything caught into a fault: what the machine refuses is one, anything else is an internal bug and keeps its cause. */
export const toFault = (value: unknown): HcaFault => {
  if (isFault(value)) return value;
  const message = value instanceof Error ? value.message : String(value);
  const refusal = value instanceof Error && 'code' in value ? REFUSALS[String(value.code)] : undefined;
  if (refusal === undefined) return new HcaFault('HcaInternal', { message, cause: value });
  return new HcaFault('HcaUnavailable', { message, ...refusal, cause: value });
};

const FULL = {
  field: 'disk',
  remedy: 'free some space (hca gc removes old tasks) and try again; nothing that was stored is lost',
};
const SHORT = {
  field: 'host',
  remedy: 'end programs that are not needed, or raise the limits of this machine (ulimit -a)',
};

/** Errors of the operating system that say something about the machine and nothing about hca. */
const REFUSALS: Readonly<Record<string, { field: string; remedy: string }>> = {
  ENOSPC: FULL,
  EDQUOT: FULL,
  EROFS: { field: 'disk', remedy: 'make the file system writable, or set HCA_HOME to a folder that is' },
  EMFILE: SHORT,
  ENFILE: SHORT,
  ENOMEM: SHORT,
  EAGAIN: SHORT,
};

/** What is wrong with something given, found by a rule: the field at fault, a sentence for a person, and what to do. Data, never thrown. */
export interface Problem {
  field: string;
  message: string;
  remedy: string;
}
