// What a token must be like to be let in: data, read from the host's settings.
import * as z from 'zod';
import { HcaFault } from '#shared/contracts/errors.ts';

/** Signatures with a public key. `none` and shared secrets are no choice here: a host keeps no secret of the issuer's. */
const Algorithm = z.enum(['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA']);

/** Loopback is for tests and for trying it out; everywhere else keys come over TLS. */
const Issuer = z.url({ protocol: /^https?$/ }).refine((url) => {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' || ['127.0.0.1', 'localhost', '[::1]'].includes(hostname);
}, 'an issuer is an https address');

/**
 * Rules for tokens. `keys`: the issuer's key set, where it is not to be fetched. `tolerance_s`: how far clocks may differ. `tenant_claim`: which claim
 * names the tenant. `scope_prefix`: what stands before our scopes in the token, for issuers that know several services (`hca/read`).
 */
export const TokenRules = z.object({
  issuer: Issuer,
  audience: z.string().min(1),
  keys: z.object({ keys: z.array(z.looseObject({ kty: z.string() })) }).optional(),
  algorithms: z.array(Algorithm).min(1).default(Algorithm.options),
  tolerance_s: z.int().min(0).max(300).default(10),
  tenant_claim: z.string().min(1).default('tenant'),
  scope_prefix: z.string().default(''),
  /** An unknown key is looked for again at most this often, in ms. */
  cooldown_ms: z.int().min(0).default(30_000),
});
export type TokenRules = z.infer<typeof TokenRules>;

/** Rules from settings. @throws HcaFault HcaBadInput naming the setting */
export const readRules = (given: z.input<typeof TokenRules>): TokenRules => {
  const read = TokenRules.safeParse(given);
  if (read.success) return read.data;
  const issue = read.error.issues[0];
  const field = String(issue?.path[0] ?? 'issuer');
  throw new HcaFault('HcaBadInput', {
    message: `${field}: ${issue?.message ?? 'not as expected'}`,
    field,
    remedy: 'give the issuer as https://… exactly as its tokens name it, and the audience they are made for',
  });
};
