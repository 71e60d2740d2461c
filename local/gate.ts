// Who is let in, for every request and every upgrade alike: at the home's own front whoever has its token file, at one for others whoever has a token of
// the issuer (architecture 11).
import type { IncomingMessage } from 'node:http';
import { tokenIn, type Verify } from '#functions/authorize/step.ts';
import type { Principal } from '#shared/contracts/acp-host.ts';
import { FAULTS, HcaFault, toFault } from '#shared/contracts/errors.ts';
import type { Identity } from '#shared/contracts/identity.ts';
import { TENANT } from './door.ts';
import { foreign, ownHosts, type Refusal, sameSecret, strangerRefusal } from './guard.ts';

/** Who is on the other side of a connection. `verify`: checks a fresh token, where tokens end. */
export interface Caller extends Identity {
  verify?: Verify;
}

export interface Gate {
  /** Why a request is not meant for this host, or comes from a page of another one; undefined when it may ask. */
  stranger(request: IncomingMessage): Refusal | undefined;
  /** Who asks. */
  caller(request: IncomingMessage): Promise<Caller | Refusal>;
}

export const isRefusal = (found: Caller | Refusal): found is Refusal => 'fault' in found;

/** The home's own: loopback names, and the token of the file. `port`: asked when the server listens. */
export const homeGate = (token: string, principal: Principal, port: () => number): Gate => ({
  stranger: (request) => strangerRefusal(request, ownHosts(port())),
  caller: async (request) => {
    const given = tokenIn(request.headers);
    return given !== undefined && sameSecret(given, token) ? { principal, expires_at: null } : HOME_TOKEN;
  },
});

/** `names`: what others call this host; `origins`: pages of other hosts that may ask; `tenant`: whose house this is, as the issuer calls it. */
export interface RemoteGateOptions {
  names: readonly string[];
  origins: readonly string[];
  tenant: string;
  verify: Verify;
}

/** For others. A home holds one tenant: what the issuer calls it is compared, and what is kept here is kept under our own name for it. */
export const remoteGate = ({ names, origins, tenant, verify }: RemoteGateOptions): Gate => {
  const check: Verify = async (token) => {
    const { principal, expires_at } = await verify(token);
    if (principal.tenant !== tenant) throw otherTenant(principal.tenant, tenant);
    return { principal: { ...principal, tenant: TENANT }, expires_at };
  };
  return {
    stranger: ({ headers: { host = '', origin } }) => {
      if (!isNamed(host, names))
        return foreign('Host', host, 'start the host with --host and the name that it is called by');
      const isKnown = origin === undefined || origins.includes(origin) || isNamed(hostOf(origin), names);
      return isKnown ? undefined : foreign('Origin', origin, 'start the host with --allow-origin and that origin');
    },
    caller: async (request) => {
      const given = tokenIn(request.headers);
      if (given === undefined) return ISSUED_TOKEN;
      try {
        return { ...(await check(given)), verify: check };
      } catch (error) {
        const fault = toFault(error);
        return { status: FAULTS[fault.code].http, fault };
      }
    },
  };
};

/** With its port, or whatever the port is. */
const isNamed = (host: string, names: readonly string[]): boolean =>
  names.includes(host) || names.includes(host.replace(/:\d+$/, ''));

const hostOf = (origin: string): string => (URL.canParse(origin) ? new URL(origin).host : '');

const missing = (remedy: string): Refusal => ({
  status: 401,
  fault: new HcaFault('HcaUnauthenticated', {
    message: 'a bearer token is needed',
    field: 'Authorization',
    remedy,
  }),
});

const HOME_TOKEN = missing('send "Authorization: Bearer <token>" with the token from the file that host.json names');
const ISSUED_TOKEN = missing('send "Authorization: Bearer <token>" with a token of the issuer; hca login gets one');

const otherTenant = (given: string, served: string): HcaFault =>
  new HcaFault('HcaDenied', {
    message: `this host serves the tenant "${served}", the token is of "${given}"`,
    field: 'tenant',
    remedy: 'ask at the host of that tenant, or start this one with --tenant',
  });
