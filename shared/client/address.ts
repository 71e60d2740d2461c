// Where a door is, and what comes back from one as faults of ours.
import { FAULTS, type FaultCode, HcaFault } from '#shared/contracts/errors.ts';
import type { RpcError } from '#shared/protocols/acp/frame.ts';
import type { Proof } from './proof.ts';

/** Where the door is, and how to show who asks. `url`: frames are posted to `<url>/rpc`. `socket`: a WebSocket is opened there. */
export interface DoorAddress {
  url: string;
  socket: string;
  proof: Proof;
}

/** From which cursor to watch (the beginning without one), and when to stop. */
export interface WatchFrom {
  cursor?: string;
  signal?: AbortSignal;
}

/** Without TLS tokens and work could be read on the way, unless the way does not leave this machine. @throws HcaFault HcaBadInput naming the field */
export const refuseInClear = (given: string, field: string): void => {
  const { protocol, hostname, host } = new URL(given);
  if (!/^(http|ws):$/.test(protocol) || isLoopback(hostname)) return;
  throw new HcaFault('HcaBadInput', {
    message: `${protocol}//${host} has no TLS: whoever is on the way could read your token`,
    field,
    remedy: `give its ${protocol === 'ws:' ? 'wss' : 'https'} address, or reach it through a tunnel to this machine: ssh -L 8443:127.0.0.1:8443 ${hostname}`,
  });
};

/** The two addresses of a door, from the one a person gives: `wss://host/acp` and `https://host` name the same. @throws HcaFault HcaBadInput without TLS */
export const endpointOf = (given: string): Pick<DoorAddress, 'url' | 'socket'> => {
  refuseInClear(given, '--endpoint');
  const target = new URL(given);
  target.protocol = target.protocol.replace('ws', 'http');
  target.search = '';
  target.hash = '';
  const url = target.href.replace(/\/$/, '').replace(/\/acp$/, '');
  return { url, socket: `${url.replace(/^http/, 'ws')}/acp` };
};

/** A fault from an error frame; what is not one of ours is a bug on the other side. */
export const faultOf = (error: RpcError): HcaFault => {
  const named = error.data?.code ?? '';
  const code: FaultCode = isFaultCode(named) ? named : 'HcaInternal';
  const { field, remedy, retryable, retry_after_ms } = error.data ?? {};
  return new HcaFault(code, {
    message: error.message,
    ...(field === undefined ? {} : { field }),
    ...(remedy === undefined ? {} : { remedy }),
    ...(retryable === undefined ? {} : { retryable }),
    ...(retry_after_ms === undefined ? {} : { retry_after_ms }),
  });
};

/** Nobody answered, or not as a door does. */
export const unreachable = ({ url }: Pick<DoorAddress, 'url'>, cause: unknown): HcaFault =>
  new HcaFault('HcaUnavailable', {
    message: `no host answers at ${url}`,
    field: 'host',
    remedy: isLoopback(new URL(url).hostname)
      ? 'start one with: hca up'
      : 'check the address and the network: hca whoami',
    cause,
  });

/** A gateway in front of the door said no, in words of its own. */
export const refusedBy = ({ url }: Pick<DoorAddress, 'url'>, status: number): HcaFault | undefined => {
  if (status === 429) {
    return new HcaFault('HcaThrottled', { message: `${url} wants fewer requests`, remedy: 'try again a little later' });
  }
  if (status !== 401 && status !== 403) return undefined;
  return new HcaFault('HcaUnauthenticated', {
    message: `${url} does not let this login in`,
    field: 'login',
    remedy: `log in again: hca login --endpoint ${url}`,
  });
};

/** As a URL has it: an IPv4 address is in four decimal parts there, however it was given. */
const isLoopback = (hostname: string): boolean => /^(127(\.\d+){3}|localhost|\[::1\])$/.test(hostname);

const isFaultCode = (name: string): name is FaultCode => Object.hasOwn(FAULTS, name);
