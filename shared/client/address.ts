// Where a door is, and what comes back from one as faults of ours.
import { FAULTS, type FaultCode, HcaFault } from '#shared/contracts/errors.ts';
import type { RpcError } from '#shared/protocols/acp/frame.ts';

/** Where the door is, `http://127.0.0.1:4711`, and the bearer token it wants. */
export interface DoorAddress {
  url: string;
  token: string;
}

/** From which cursor to watch (the beginning without one), and when to stop. */
export interface WatchFrom {
  cursor?: string;
  signal?: AbortSignal;
}

/** A fault from an error frame; what is not one of ours is a bug on the other side. */
export const faultOf = (error: RpcError): HcaFault => {
  const named = error.data?.code ?? '';
  const code: FaultCode = isFaultCode(named) ? named : 'HcaInternal';
  const field = error.data?.field;
  const remedy = error.data?.remedy;
  return new HcaFault(code, {
    message: error.message,
    ...(field === undefined ? {} : { field }),
    ...(remedy === undefined ? {} : { remedy }),
    ...(error.data === undefined ? {} : { retryable: error.data.retryable }),
  });
};

/** Nobody answered, or not as a door does. */
export const unreachable = (address: DoorAddress, cause: unknown): HcaFault =>
  new HcaFault('HcaUnavailable', {
    message: `no host answers at ${address.url}`,
    field: 'host',
    remedy: 'start one with: hca up',
    cause,
  });

const isFaultCode = (name: string): name is FaultCode => Object.hasOwn(FAULTS, name);
