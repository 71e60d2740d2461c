// What an agent-server's refusals and a lost connection are called: faults that name the server's address and never its key (architecture 10).
import { type FaultCode, HcaFault } from '#shared/contracts/errors.ts';
import { ErrorAnswer } from './wire.ts';

/** `what`: method and path without its query, which may name files of a person. */
export type Call = { origin: string; what: string };

/** The fault of an HTTP status. `text` is the body of the answer. */
export function statusFault({ origin, what }: Call, status: number, text: string): HcaFault {
  const known = STATUS[status] ?? (status >= 500 ? SERVER_FAILED : REFUSED);
  const { code, ...rest } = known;
  const said = detailOf(text);
  const message = `the agent-server at ${origin} answered ${status} to ${what}${said === '' ? '' : `: ${said}`}`;
  return new HcaFault(code, { message, ...rest });
}

/** The fault of a call that got no answer. */
export function lostFault({ origin, what }: Call, cause: unknown): HcaFault {
  const late = cause instanceof Error && cause.name === 'TimeoutError';
  const message = `the agent-server at ${origin} ${late ? 'did not answer in time' : 'cannot be reached'} (${what})`;
  return new HcaFault('HcaUnavailable', {
    message,
    field: 'sandbox',
    remedy: 'see that it runs and can be reached',
    cause,
  });
}

/** An answer that is not what the contract says. */
export function oddFault({ origin, what }: Call, cause: unknown): HcaFault {
  const message = `the agent-server at ${origin} answered ${what} with something that is not in its contract`;
  return new HcaFault('HcaSandbox', {
    message,
    field: 'sandbox',
    remedy: 'use an agent-server of version 1.44',
    cause,
  });
}

type Known = { code: FaultCode; field?: string; remedy?: string; retryable?: boolean };

const KEY: Known = { code: 'HcaDenied', field: 'sandbox', remedy: 'give the key that the server was started with' };
const REFUSED: Known = { code: 'HcaSandbox' };
const SERVER_FAILED: Known = { code: 'HcaUnavailable' };

const STATUS: Readonly<Record<number, Known>> = {
  401: KEY,
  403: KEY,
  404: { code: 'HcaNotFound' },
  413: { code: 'HcaTooLarge', field: 'body' },
  429: { code: 'HcaThrottled' },
};

/** At most a few lines of what the server has to say. */
function detailOf(text: string): string {
  const detail = ErrorAnswer.safeParse(parsed(text)).data?.detail ?? '';
  return (typeof detail === 'string' ? detail : JSON.stringify(detail)).slice(0, 500);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
