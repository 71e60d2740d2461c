// The keys of an issuer: given, or found by its own description (OpenID discovery, RFC 8414). They are kept and asked for again when a token
// names a key that is not among them, so that an issuer may change its keys at any time.
import { createLocalJWKSet, createRemoteJWKSet, type JWTVerifyGetKey } from 'jose';
import * as z from 'zod';
import { HcaFault } from '#shared/contracts/errors.ts';
import type { TokenRules } from './rules.ts';

const TIMEOUT_MS = 5000;

const Described = z.object({ issuer: z.string(), jwks_uri: z.url() });

/** Finds nothing before the first token comes; a failed look is tried again with the next token. */
export const keysOf = (rules: TokenRules): JWTVerifyGetKey => {
  if (rules.keys !== undefined) return createLocalJWKSet(rules.keys);
  let found: Promise<JWTVerifyGetKey> | undefined;
  return async (header, token) => {
    found ??= remoteKeys(rules);
    const keys = await found.catch((error: unknown) => {
      found = undefined;
      throw error;
    });
    return keys(header, token);
  };
};

const remoteKeys = async (rules: TokenRules): Promise<JWTVerifyGetKey> => {
  const described = Described.safeParse(await describe(rules.issuer));
  if (!described.success) throw silent(rules.issuer, described.error);
  const { issuer, jwks_uri } = described.data;
  if (issuer !== rules.issuer) throw another(rules.issuer, issuer);
  const options = { cooldownDuration: rules.cooldown_ms, timeoutDuration: TIMEOUT_MS };
  return createRemoteJWKSet(new URL(jwks_uri), options);
};

/** As OpenID places it, else as RFC 8414 does. */
const describe = async (issuer: string): Promise<unknown> => {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, '');
  const places = [
    `${origin}${path}/.well-known/openid-configuration`,
    `${origin}/.well-known/oauth-authorization-server${path}`,
  ];
  let cause: unknown;
  for (const place of places) {
    try {
      const answer = await fetch(place, { redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) });
      if (answer.ok) return await answer.json();
      cause = `${place} answered ${answer.status}`;
    } catch (error) {
      cause = error;
    }
  }
  throw silent(issuer, cause);
};

const silent = (issuer: string, cause: unknown): HcaFault =>
  new HcaFault('HcaUnavailable', {
    message: `the issuer ${issuer} does not say where its keys are`,
    field: 'issuer',
    remedy: 'check the address of the issuer, and that this host can reach it',
    cause,
  });

const another = (wanted: string, found: string): HcaFault =>
  new HcaFault('HcaUnavailable', {
    message: `at ${wanted} there is an issuer that calls itself ${found.slice(0, 200)}`,
    field: 'issuer',
    remedy: 'name the issuer exactly as it names itself',
    retryable: false,
  });
