// Names and secrets of the local servers: a request must call this host by its own name, so that no web page that found the port gets in
// (architecture 11).
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { HcaFault } from '#shared/contracts/errors.ts';

/** A refusal as HTTP status and fault. */
export interface Refusal {
  status: number;
  fault: HcaFault;
}

/** What a server on a port of this machine is called. */
export const ownHosts = (port: number): string[] => OWN_NAMES.map((name) => `${name}:${port}`);

/** Names of this machine, for whoever is on it. */
export const OWN_NAMES = ['127.0.0.1', 'localhost', '[::1]'];

/** Whether a Host header means this machine, whatever the port. */
export const isOwnHost = (host: string): boolean => OWN_NAMES.includes(host.replace(/:\d+$/, ''));

/** Why a request that is not meant for this server, or comes from a page of another one, is refused. */
export const strangerRefusal = (request: IncomingMessage, hosts: readonly string[]): Refusal | undefined => {
  const { host, origin } = request.headers;
  if (!hosts.includes(host ?? '')) return foreign('Host', host);
  const known = origin === undefined || hosts.some((own) => origin === `http://${own}`);
  return known ? undefined : foreign('Origin', origin);
};

/** Compared as hashes, so that neither length nor content shows in the time it takes. */
export const sameSecret = (given: string, wanted: string): boolean => timingSafeEqual(digest(given), digest(wanted));

/** The refusal of a name or a page that is not this host's. */
export const foreign = (header: 'Host' | 'Origin', value: string | undefined, remedy = OWN_ADDRESS): Refusal => ({
  status: 403,
  fault: new HcaFault('HcaDenied', {
    message: `the ${header} "${(value ?? '').slice(0, 100)}" is not this host`,
    field: header,
    remedy,
  }),
});

const OWN_ADDRESS = 'talk to it by its own address, 127.0.0.1 and the port in host.json';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
