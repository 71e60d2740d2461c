// Who a token speaks for and until when, and how the cloud's authorizer hands that on (architecture 11).
import * as z from 'zod';
import { Principal, Scope } from './acp-host.ts';

/** A checked token. `expires_at`: ms since 1970, the tolerance for clocks included; null never ends (the token file of a home). */
export const Identity = z.object({ principal: Principal, expires_at: z.int().nullable() });
export type Identity = z.infer<typeof Identity>;

/** An authorizer's context is flat and of strings; every request of a connection carries it. */
export const AuthorizerContext = z.object({
  tenant: z.string(),
  subject: z.string(),
  scopes: z.string(),
  expires_at: z.coerce.number().int(),
});

/** What an authorizer says about who asks. */
export const contextOf = ({ principal, expires_at }: Identity): Record<string, string> => ({
  tenant: principal.tenant,
  subject: principal.subject,
  scopes: principal.scopes.join(' '),
  expires_at: String(expires_at ?? Number.MAX_SAFE_INTEGER),
});

/** Who asks, from an authorizer's context; undefined when there is none. */
export const identityIn = (context: unknown): Identity | undefined => {
  const read = AuthorizerContext.safeParse(context);
  if (!read.success) return undefined;
  const { tenant, subject, scopes, expires_at } = read.data;
  return { principal: { tenant, subject, scopes: scopesOf(scopes.split(' ')) }, expires_at };
};

/** Of any words those that are scopes of ours, each once. */
export const scopesOf = (words: readonly string[]): Scope[] => Scope.options.filter((scope) => words.includes(scope));
