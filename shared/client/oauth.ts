// Tokens from an issuer, for a command without a browser of its own: device flow (RFC 8628) and refresh (RFC 6749), with plain fetch. Where a door's
// issuer is, the door itself says (RFC 9728).
import * as z from 'zod';
import { HcaFault } from '#shared/contracts/errors.ts';
import { refuseInClear } from './address.ts';

const TIMEOUT_MS = 15_000;

/** What a door says about who may ask, without being asked for a token. `hca_*`: what the standard has no name for. */
export const DoorDescription = z.object({
  resource: z.string(),
  authorization_servers: z.array(z.url()).default([]),
  scopes_supported: z.array(z.string()).default([]),
  hca_audience: z.string().optional(),
  hca_client: z.string().optional(),
  hca_socket: z.string().optional(),
});
export type DoorDescription = z.infer<typeof DoorDescription>;

export const IssuerDescription = z.object({
  issuer: z.string(),
  token_endpoint: z.url(),
  device_authorization_endpoint: z.url().optional(),
});
export type IssuerDescription = z.infer<typeof IssuerDescription>;

/** `expires_at` in ms; null where the issuer does not say. */
export interface TokenSet {
  access_token: string;
  refresh_token: string | null;
  expires_at: number | null;
}

/** The description of a door, or undefined when it gives none. */
export const describeDoor = async (url: string): Promise<DoorDescription | undefined> => {
  const { origin, pathname } = new URL(url);
  const path = pathname.replace(/\/$/, '');
  for (const place of new Set([`${origin}${WELL_KNOWN}${path}`, `${origin}${path}${WELL_KNOWN}`])) {
    const read = DoorDescription.safeParse(await getJson(place));
    if (read.success) return read.data;
  }
  return undefined;
};

const WELL_KNOWN = '/.well-known/oauth-protected-resource';

/** @throws HcaFault HcaUnavailable when there is no issuer at that address */
export const describeIssuer = async (issuer: string): Promise<IssuerDescription> => {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, '');
  const places = [
    `${origin}${path}/.well-known/openid-configuration`,
    `${origin}/.well-known/oauth-authorization-server${path}`,
  ];
  for (const place of places) {
    const read = IssuerDescription.safeParse(await getJson(place));
    if (read.success && read.data.issuer === issuer) return read.data;
  }
  throw new HcaFault('HcaUnavailable', {
    message: `there is no issuer of tokens at ${issuer}`,
    field: '--issuer',
    remedy: 'name the issuer exactly as it names itself, or give a token with --token-file or --token-stdin',
    retryable: false,
  });
};

/** A fresh token for a refresh token; undefined when the issuer takes it no more. @throws HcaFault HcaUnavailable */
export const refreshTokens = async (
  endpoint: string,
  given: { client_id: string; refresh_token: string },
): Promise<TokenSet | undefined> => {
  const { ok, body } = await postForm(endpoint, { grant_type: 'refresh_token', ...given });
  if (!ok) return undefined;
  const fresh = tokensIn(body);
  return { ...fresh, refresh_token: fresh.refresh_token ?? given.refresh_token };
};

/** Posts a form and reads JSON. @throws HcaFault HcaBadInput without TLS, HcaUnavailable when nobody answers, or says that it cannot just now */
export const postForm = async (
  url: string,
  form: Record<string, string>,
): Promise<{ ok: boolean; body: Record<string, unknown> }> => {
  refuseInClear(url, '--issuer');
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { accept: 'application/json' },
      body: new URLSearchParams(form),
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (answer.status >= 500) throw new Error(`${url} answered ${answer.status}`);
    return { ok: answer.ok, body: z.record(z.string(), z.unknown()).parse(await answer.json()) };
  } catch (cause) {
    throw silent(url, cause);
  }
};

const Tokens = z.object({
  access_token: z.string().min(1),
  refresh_token: z.string().min(1).optional(),
  expires_in: z.coerce.number().min(0).optional(),
});

/** @throws HcaFault HcaUnavailable when there is no token in it */
export const tokensIn = (body: unknown): TokenSet => {
  const read = Tokens.safeParse(body);
  if (!read.success) throw silent('the issuer', read.error);
  const { access_token, refresh_token, expires_in } = read.data;
  const expires_at = expires_in === undefined ? null : Date.now() + expires_in * 1000;
  return { access_token, refresh_token: refresh_token ?? null, expires_at };
};

const getJson = async (url: string): Promise<unknown> => {
  try {
    const answer = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) });
    return answer.ok ? await answer.json() : undefined;
  } catch {
    return undefined;
  }
};

const silent = (who: string, cause: unknown): HcaFault =>
  new HcaFault('HcaUnavailable', {
    message: `${who} does not answer as an issuer of tokens does`,
    field: 'issuer',
    remedy: 'try again; if it stays so, look at the issuer',
    cause,
  });
