// Values as they pass between states: JSON, at most 262,144 bytes (States.DataLimitExceeded above it).
import { AslFault, PAYLOAD_LIMIT } from '#local/asl/errors.ts';

/** A value and its JSON text, written once and used for the size check, the journal and the next state. */
export interface Sealed {
  readonly value: unknown;
  readonly text: string;
}

/** UTF-8 needs at most three bytes for one UTF-16 unit, so shorter texts need no counting. */
const SURELY_SMALL = Math.floor(PAYLOAD_LIMIT / 3);

/** Seals a JSON value; `what` names it in the error. Nothing at all (undefined) is null, as in Lambda. */
export function sealed(value: unknown, what: string): Sealed {
  const text = JSON.stringify(value) ?? 'null';
  if (text.length > SURELY_SMALL && Buffer.byteLength(text) > PAYLOAD_LIMIT) {
    throw new AslFault('States.DataLimitExceeded', `${what} is larger than ${PAYLOAD_LIMIT} bytes`);
  }
  return { value, text };
}

/** A copy that shares nothing with the value and holds only what JSON holds: for what crosses to a function or comes from it. */
export function copied(value: unknown, what: string): unknown {
  if (typeof value === 'string' && value.length < SURELY_SMALL) return value;
  const copy: unknown = JSON.parse(sealed(value, what).text);
  return copy;
}
