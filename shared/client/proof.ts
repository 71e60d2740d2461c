// How a request shows who asks: with a bearer token, or signed with AWS credentials. Asked anew for each request, so that a token may be a fresh one.
import { type AwsCredentials, presign, signedHeaders } from './sigv4.ts';

/** Subprotocols of our WebSocket: a browser cannot set headers there, so the token travels in one, never in the address. */
export const SUBPROTOCOL = 'hca.v1';
const TOKEN_PREFIX = 'hca.bearer.';

/** A token, and when it ends (ms); null: not known, or never. */
export interface Token {
  token: string;
  expires_at: number | null;
}

export interface Proof {
  /** Headers for a POST of this body. */
  headers(url: string, body: string): Promise<Record<string, string>>;
  /** Address and subprotocols to open a WebSocket with. */
  socket(url: string): Promise<{ url: string; protocols: string[] }>;
  /** The token as it is now, where there is one: a connection that outlives the one it was opened with shows it again. */
  token?(): Promise<Token>;
}

/** Shows a token; `token` is asked each time. */
export const bearer = (token: () => Promise<Token>): Proof => ({
  headers: async () => ({ authorization: `Bearer ${(await token()).token}` }),
  socket: async (url) => ({ url, protocols: [SUBPROTOCOL, `${TOKEN_PREFIX}${(await token()).token}`] }),
  token,
});

/** Shows a token that stays. */
export const fixedToken = (token: string): Proof => bearer(async () => ({ token, expires_at: null }));

/** Signs for API Gateway in a region. */
export const signature = (region: string, credentials: () => Promise<AwsCredentials>): Proof => {
  const scope = { region, service: 'execute-api' };
  return {
    headers: async (url, body) => signedHeaders({ url, body, scope, now: new Date() }, await credentials()),
    socket: async (url) => ({
      url: await presign({ url, scope, now: new Date() }, await credentials()),
      // Everything is in the address; a gateway need not agree on a subprotocol.
      protocols: [],
    }),
  };
};
