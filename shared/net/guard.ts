// Whether a URL that somebody gave us may be called (SSRF): scheme, host, and every address its name resolves to. The address that was checked is
// the one that is connected to, so that a name cannot change its mind in between (requirements 8; protocols 10).
import { lookup as resolveName } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { literalOf, reachOf } from './addresses.ts';

/** What may be called. `isPrivateAllowed`: this very host may lie in a private network or on this machine; then without TLS as well. */
export interface NetRules {
  isAllowed(host: string): boolean;
  isPrivateAllowed(host: string): boolean;
}

/** A call that is not made. `reason` is for people. */
export class NetRefused extends Error {
  readonly reason: string;

  constructor(reason: string) {
    super(`refused: ${reason}`);
    this.name = 'NetRefused';
    this.reason = reason;
  }
}

/** How names are resolved; a test gives its own. */
export type Resolve = (
  host: string,
  done: (error: Error | null, addresses: readonly { address: string; family: number }[]) => void,
) => void;

/** Checks everything that a URL says by itself. @throws NetRefused */
export const checkUrl = (url: URL, rules: NetRules): void => {
  const { hostname } = url;
  if (!rules.isAllowed(hostname)) throw new NetRefused(`policy does not allow the host "${hostname}"`);
  if (url.username !== '' || url.password !== '') throw new NetRefused('the address holds credentials');
  const isPlain = url.protocol === 'http:' && rules.isPrivateAllowed(hostname);
  if (url.protocol !== 'https:' && !isPlain) throw new NetRefused(`"${url.protocol}//" is not https`);
  const literal = literalOf(hostname);
  if (literal !== undefined) checkAddress(hostname, literal, rules);
};

/** A `lookup` for node:http(s) that gives only checked addresses: one that is not allowed refuses them all. */
export const checkedLookup =
  (rules: NetRules, resolve: Resolve = system): LookupFunction =>
  (host, options, done) => {
    resolve(host, (error, addresses) => {
      const problem = error ?? problemOf(host, addresses, rules);
      if (options.all === true) done(problem, [...addresses]);
      else done(problem, ...firstOf(addresses));
    });
  };

/** With a problem nobody looks at it. */
const firstOf = ([first]: readonly { address: string; family: number }[]): [string, number] =>
  first === undefined ? ['', 0] : [first.address, first.family];

const system: Resolve = (host, done) => {
  resolveName(host, { all: true, verbatim: true }, (error, addresses) => done(error, addresses ?? []));
};

const problemOf = (host: string, addresses: readonly { address: string }[], rules: NetRules): Error | null => {
  if (addresses.length === 0) return new Error(`no address of ${host}`);
  try {
    for (const { address } of addresses) checkAddress(host, address, rules);
    return null;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
};

const checkAddress = (host: string, address: string, rules: NetRules): void => {
  const reach = reachOf(address);
  if (reach === 'public' || (reach === 'private' && rules.isPrivateAllowed(host))) return;
  throw new NetRefused(`"${host}" leads to ${address}, which is not a public address`);
};
