// Who may talk to the local server: this machine's own programs with the token, never a web page that found the port (architecture 11).
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { HcaFault } from '#shared/contracts/errors.ts';

/** The subprotocol a WebSocket client names, and the one that carries its token: a browser cannot set headers there. */
export const SUBPROTOCOL = 'hca.v1';
const TOKEN_PREFIX = 'hca.bearer.';

/** A refusal as HTTP status and fault. */
export interface Refusal {
  status: 401 | 403;
  fault: HcaFault;
}

/** Why a request is refused, or undefined. The same for HTTP and for the upgrade to WebSocket. */
export const refusalOf = (request: IncomingMessage, guard: { port: number; token: string }): Refusal | undefined => {
  const stranger = strangerRefusal(request, ownHosts(guard.port));
  if (stranger !== undefined) return stranger;
  const token = bearerOf(request) ?? subprotocolToken(request);
  return token !== undefined && sameSecret(token, guard.token) ? undefined : withoutToken();
};

/** What a server on a port of this machine is called. */
export const ownHosts = (port: number): string[] =>
  ['127.0.0.1', 'localhost', '[::1]'].map((name) => `${name}:${port}`);

/** Why a request that is not meant for this server, or comes from a page of another one, is refused. */
export const strangerRefusal = (request: IncomingMessage, hosts: readonly string[]): Refusal | undefined => {
  const { host, origin } = request.headers;
  if (!hosts.includes(host ?? '')) return foreign('Host', host);
  const known = origin === undefined || hosts.some((own) => origin === `http://${own}`);
  return known ? undefined : foreign('Origin', origin);
};

const bearerOf = (request: IncomingMessage): string | undefined =>
  /^Bearer ([\x21-\x7e]+)$/.exec(request.headers.authorization ?? '')?.[1];

const subprotocolToken = (request: IncomingMessage): string | undefined =>
  (request.headers['sec-websocket-protocol'] ?? '')
    .split(',')
    .map((word) => word.trim())
    .find((word) => word.startsWith(TOKEN_PREFIX))
    ?.slice(TOKEN_PREFIX.length);

/** Compared as hashes, so that neither length nor content shows in the time it takes. */
export const sameSecret = (given: string, wanted: string): boolean => timingSafeEqual(digest(given), digest(wanted));

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

const foreign = (header: 'Host' | 'Origin', value: string | undefined): Refusal => ({
  status: 403,
  fault: new HcaFault('HcaDenied', {
    message: `the ${header} "${(value ?? '').slice(0, 100)}" is not this host`,
    field: header,
    remedy: 'talk to it by its own address, 127.0.0.1 and the port in host.json',
  }),
});

const withoutToken = (): Refusal => ({
  status: 401,
  fault: new HcaFault('HcaDenied', {
    message: 'a bearer token is needed',
    field: 'Authorization',
    remedy: 'send "Authorization: Bearer <token>" with the token from the file that host.json names',
  }),
});
