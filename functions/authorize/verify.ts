// A token is verified: signature by a key of the issuer, allowed algorithm, issuer, audience, time. Pure but for the issuer's keys.
import { errors, jwtVerify } from 'jose';
import { HcaFault, isFault } from '#shared/contracts/errors.ts';
import type { Identity } from '#shared/contracts/identity.ts';
import { identityOf } from './claims.ts';
import { keysOf } from './keys.ts';
import type { TokenRules } from './rules.ts';

/** Answers who a token speaks for. @throws HcaFault HcaUnauthenticated, HcaDenied (claims), HcaUnavailable (no keys to be had) */
export type Verify = (token: string) => Promise<Identity>;

/** Longer than any token that fits a header. */
const MOST = 12_000;

/** A verifier that keeps the issuer's keys; make one for a process. */
export const tokenVerifier = (rules: TokenRules): Verify => {
  const keys = keysOf(rules);
  const { issuer, audience, algorithms, tolerance_s } = rules;
  const options = { issuer, audience, algorithms, clockTolerance: tolerance_s, requiredClaims: ['exp', 'sub'] };
  return async (token) => {
    if (token.length > MOST) throw refused('the token is too long');
    try {
      const { payload } = await jwtVerify(token, keys, options);
      return identityOf(payload, rules);
    } catch (error) {
      throw isFault(error) ? error : faultOf(error, rules);
    }
  };
};

/** What is wrong with a token says no more than its holder needs; anything else is about the issuer's keys. */
const faultOf = (error: unknown, { issuer }: TokenRules): HcaFault => {
  if (error instanceof errors.JWTExpired) return refused('the token has expired', error);
  if (error instanceof errors.JWTClaimValidationFailed) return refused(wrongClaim(error), error);
  if (error instanceof errors.JWKSNoMatchingKey) return refused('the token is signed with an unknown key', error);
  if (error instanceof errors.JOSEError && WRONG.has(error.code)) return refused('the token is not valid', error);
  return new HcaFault('HcaUnavailable', {
    message: `the keys of ${issuer} cannot be had`,
    field: 'issuer',
    remedy: 'try again; if it stays so, check that this host can reach the issuer',
    cause: error,
  });
};

const WRONG: ReadonlySet<string> = new Set([
  errors.JOSEAlgNotAllowed.code,
  errors.JOSENotSupported.code,
  errors.JWSInvalid.code,
  errors.JWSSignatureVerificationFailed.code,
  errors.JWTInvalid.code,
  errors.JWKInvalid.code,
  errors.JWKSMultipleMatchingKeys.code,
]);

const CLAIMS: Readonly<Record<string, string>> = {
  iss: 'the token is from another issuer',
  aud: 'the token is for another audience',
  nbf: 'the token is not valid yet',
  exp: 'the token does not say when it ends',
  sub: 'the token does not say whose it is',
};

const wrongClaim = ({ claim }: errors.JWTClaimValidationFailed): string => CLAIMS[claim] ?? 'the token is not valid';

const refused = (message: string, cause?: unknown): HcaFault =>
  new HcaFault('HcaUnauthenticated', {
    message,
    field: 'Authorization',
    remedy: 'get a new token (hca login) and send it as "Authorization: Bearer <token>"',
    cause,
  });
