// From the claims of a checked token to who asks: tenant, subject, scopes. What is missing or odd is refused, never guessed.
import type { JWTPayload } from 'jose';
import * as z from 'zod';
import { HcaFault } from '#shared/contracts/errors.ts';
import { type Identity, scopesOf } from '#shared/contracts/identity.ts';
import { Tenant } from '#shared/contracts/ids.ts';
import type { TokenRules } from './rules.ts';

/** Some issuers write scopes as one text, some as a list, under either name. */
const Words = z.union([z.string().transform((text) => text.split(' ')), z.array(z.string())]);
/** Any name an issuer may give, without what would not show. */
const Subject = z
  .string()
  .min(1)
  .max(200)
  .regex(/^[^\p{Cc}\p{Cf}]+$/u);

/** @throws HcaFault HcaDenied naming the claim */
export const identityOf = (claims: JWTPayload, rules: TokenRules): Identity => {
  const tenant = Tenant.safeParse(claims[rules.tenant_claim]);
  if (!tenant.success) throw odd(rules.tenant_claim, 'a tenant is 1 to 63 of a-z, 0-9 and -');
  const subject = Subject.safeParse(claims.sub);
  if (!subject.success) throw odd('sub', 'the subject is 1 to 200 characters');
  const words = Words.safeParse(claims.scope ?? claims.scp ?? []);
  if (!words.success) throw odd('scope', 'scopes are words with spaces between them');
  const { scope_prefix, tolerance_s } = rules;
  const own = words.data.filter((word) => word.startsWith(scope_prefix)).map((word) => word.slice(scope_prefix.length));
  return {
    principal: { tenant: tenant.data, subject: subject.data, scopes: scopesOf(own) },
    expires_at: (Math.floor(claims.exp ?? 0) + tolerance_s) * 1000,
  };
};

const odd = (claim: string, how: string): HcaFault =>
  new HcaFault('HcaDenied', {
    message: `the token's claim "${claim}" is missing or not usable: ${how}`,
    field: claim,
    remedy: `have the issuer put "${claim}" into its tokens; which claim names the tenant can be set`,
  });
