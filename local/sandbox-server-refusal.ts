// A refusal of the sandbox server, in the form an OpenHands agent-server gives it: a status and a `detail` for a person.
import { FAULTS, isFault } from '#shared/contracts/errors.ts';

/** Of a request that is not as it should be: where, and why. */
export interface Invalid {
  type: string;
  loc: readonly string[];
  msg: string;
}

/** Thrown by a route; anything else that is thrown is a fault of ours and said without its details. */
export class Refused extends Error {
  readonly status: number;
  readonly detail: string | readonly Invalid[];

  constructor(status: number, detail: string | readonly Invalid[]) {
    super(typeof detail === 'string' ? detail : detail.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`).join('; '));
    this.status = status;
    this.detail = detail;
  }
}

/** 422, naming the place: `['query', 'limit']`. */
export const invalid = (loc: readonly string[], msg: string, type = 'value_error'): Refused =>
  new Refused(422, [{ type, loc, msg }]);

/** Status and detail of whatever a route threw. */
export const refusalOf = (error: unknown): { status: number; detail: Refused['detail'] } => {
  if (error instanceof Refused) return { status: error.status, detail: error.detail };
  if (!isFault(error)) return { status: 500, detail: 'the sandbox server failed; its own output says why' };
  const remedy = error.remedy === undefined ? '' : ` (${error.remedy})`;
  return { status: FAULTS[error.code].http, detail: `${error.message}${remedy}` };
};
