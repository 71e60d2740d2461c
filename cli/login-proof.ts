// How a stored login shows who asks: its token, a fresh one in place of one that ends, or a signature with AWS credentials.

import { refreshTokens } from '#shared/client/oauth.ts';
import { bearer, type Proof, signature, type Token } from '#shared/client/proof.ts';
import { HcaFault } from '#shared/contracts/errors.ts';
import { awsCredentials } from './aws-credentials.ts';
import { keepLogin, type Login, readLogins } from './credentials.ts';

/** A token that ends within this long (ms) is replaced before it is shown. */
const ALMOST_MS = 60_000;

export interface LoginPlace {
  home: string;
  env: NodeJS.ProcessEnv;
}

/** @throws HcaFault HcaUnauthenticated, when it is used, if it has expired and there is no fresh one to be had */
export const proofOf = (place: LoginPlace, login: Login): Proof => {
  if (login.kind === 'aws') return signature(login.region, async () => awsCredentials(place.env, login.profile));
  let current = login;
  return bearer(async () => {
    if (isAlmostOver(current)) current = await renewed(place.home, current);
    return tokenOf(current);
  });
};

type TokenLogin = Exclude<Login, { kind: 'aws' }>;

const isAlmostOver = ({ expires_at }: TokenLogin): boolean =>
  expires_at !== null && expires_at - ALMOST_MS < Date.now();

const tokenOf = (login: TokenLogin): Token => ({
  token: login.kind === 'token' ? login.token : login.access_token,
  expires_at: login.expires_at,
});

const renewed = async (home: string, login: TokenLogin): Promise<TokenLogin> => {
  const fresh = freshIn(home, login) ?? (await refreshed(home, login)) ?? freshIn(home, login);
  if (fresh !== undefined) return fresh;
  // What is still valid for some seconds is used to its end.
  if ((login.expires_at ?? 0) > Date.now()) return login;
  throw new HcaFault('HcaUnauthenticated', {
    message: `the login to ${login.url} has expired`,
    field: 'login',
    remedy: `log in again: hca login --endpoint ${login.url}`,
  });
};

/** Another command may have been faster: an issuer that takes each refresh token once has then given the fresh one to that one. */
const freshIn = (home: string, login: TokenLogin): TokenLogin | undefined => {
  const stored = readLogins(home)[login.url];
  if (stored?.kind !== 'oauth' || login.kind !== 'oauth') return undefined;
  return stored.issuer === login.issuer && !isAlmostOver(stored) ? stored : undefined;
};

const refreshed = async (home: string, login: TokenLogin): Promise<TokenLogin | undefined> => {
  if (login.kind !== 'oauth' || login.refresh_token === null) return undefined;
  const { client_id, refresh_token, token_endpoint } = login;
  const fresh = await refreshTokens(token_endpoint, { client_id, refresh_token });
  if (fresh === undefined) return undefined;
  const kept = { ...login, ...fresh };
  keepLogin(home, kept);
  return kept;
};
