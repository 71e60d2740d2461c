// A refusal of the sandbox server, in the form an OpenHands agent-server gives it: a status and a `detail` for a person.
import { FAULTS, isFault } from '#shared/contracts/errors.ts';

/** Thrown by a route; anything else that is thrown is a fault of ours and said without its details. */
export class Refused extends Error {
  readonly status: number;

  constructor(status: number, detail: string) {
    super(detail);
    this.status = status;
  }
}

/** Status and detail of whatever a route threw. */
export const refusalOf = (error: unknown): { status: number; detail: string } => {
  if (error instanceof Refused) return { status: error.status, detail: error.message };
  if (!isFault(error)) return { status: 500, detail: 'the sandbox server failed; its own output says why' };
  const remedy = error.remedy === undefined ? '' : ` (${error.remedy})`;
  return { status: FAULTS[error.code].http, detail: `${error.message}${remedy}` };
};
