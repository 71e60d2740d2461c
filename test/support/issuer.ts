// A little issuer: describes itself, has keys that change, signs what a test wants, and hands out tokens by the device flow (RFC 8628) and for
// refresh tokens (RFC 6749).
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';

export const AUDIENCE = 'hca-of-this-test';

export interface Signed {
  alg?: string;
  kid?: string;
  /** Seconds from now; negative is over. */
  expires_in?: number | null;
  /** Seconds from now. */
  not_before?: number;
  claims?: Record<string, unknown>;
}

export interface Issuer {
  url: string;
  /** A token of alice of the tenant `local` with every scope, unless said otherwise. */
  sign(how?: Signed): Promise<string>;
  /** A new key takes the place of the old one. */
  rotate(): Promise<void>;
  /** How often its keys were asked for. */
  asked(): number;
  /** What devices are told from now on, and what their tokens say; null: they are to wait. */
  approve(claims: Record<string, unknown> | null): void;
  /** How long tokens of the device flow live, in seconds. */
  lifetime(seconds: number): void;
  /** Refresh tokens end here. */
  forgetRefreshTokens(): void;
  close(): Promise<void>;
}

interface Key {
  kid: string;
  privateKey: Awaited<ReturnType<typeof generateKeyPair>>['privateKey'];
  jwk: JWK;
}

const newKey = async (number: number, alg = 'ES256'): Promise<Key> => {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  const kid = `key-${number}`;
  return { kid, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } };
};

const PERSON = { sub: 'alice', tenant: 'local', scope: 'read submit approve admin' };

export const startIssuer = async (): Promise<Issuer> => {
  const state = { key: await newKey(1), number: 1, asked: 0, lifetime: 3600 };
  const device: { claims: Record<string, unknown> | null; refresh: Set<string> } = {
    claims: { ...PERSON },
    refresh: new Set(),
  };
  const server = createServer((request, response) => {
    void answer(request).then(({ status, body }) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const sign = async ({
    alg = 'ES256',
    kid = state.key.kid,
    expires_in = 3600,
    not_before,
    claims = {},
  }: Signed = {}) => {
    const now = Math.floor(Date.now() / 1000);
    const token = new SignJWT({ iss: url, aud: AUDIENCE, ...PERSON, ...claims }).setProtectedHeader({ alg, kid });
    if (expires_in !== null) token.setExpirationTime(now + expires_in);
    if (not_before !== undefined) token.setNotBefore(now + not_before);
    return token.setIssuedAt(now).sign(state.key.privateKey);
  };
  const tokens = async (claims: Record<string, unknown>) => {
    const refresh_token = `refresh-${crypto.randomUUID()}`;
    device.refresh.add(refresh_token);
    const access_token = await sign({ claims, expires_in: state.lifetime });
    return { access_token, refresh_token, token_type: 'Bearer', expires_in: state.lifetime };
  };
  const refreshed = async (token: string) =>
    device.refresh.delete(token) ? ok(await tokens(device.claims ?? PERSON)) : bad('invalid_grant');
  const polled = async (code: string | null) => {
    if (code !== 'device-1') return bad('expired_token');
    return device.claims === null ? bad('authorization_pending') : ok(await tokens(device.claims));
  };
  const grant = async (form: URLSearchParams): Promise<{ status: number; body: unknown }> =>
    form.get('grant_type') === 'refresh_token'
      ? refreshed(form.get('refresh_token') ?? '')
      : polled(form.get('device_code'));
  const answer = async (request: IncomingMessage): Promise<{ status: number; body: unknown }> => {
    const form = new URLSearchParams(await text(request));
    if (request.url === '/.well-known/openid-configuration') {
      return ok({
        issuer: url,
        jwks_uri: `${url}/keys`,
        token_endpoint: `${url}/token`,
        device_authorization_endpoint: `${url}/device`,
      });
    }
    if (request.url === '/keys') {
      state.asked += 1;
      return ok({ keys: [state.key.jwk] });
    }
    if (request.url === '/device') {
      const verification_uri = `${url}/activate`;
      return ok({ device_code: 'device-1', user_code: 'WDJB-MJHT', verification_uri, expires_in: 60, interval: 0 });
    }
    return request.url === '/token' ? grant(form) : { status: 404, body: {} };
  };
  return {
    url,
    sign,
    rotate: async () => {
      state.number += 1;
      state.key = await newKey(state.number);
    },
    asked: () => state.asked,
    approve: (claims) => {
      device.claims = claims === null ? null : { ...PERSON, ...claims };
    },
    lifetime: (seconds) => {
      state.lifetime = seconds;
    },
    forgetRefreshTokens: () => device.refresh.clear(),
    close: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
};

const ok = (body: unknown) => ({ status: 200, body });
const bad = (error: string) => ({ status: 400, body: { error } });
