// Who asks: from the context of our authorizer, or, where requests are signed with AWS credentials, whoever signed. API Gateway has checked both.
import * as z from 'zod';
import { Scope } from '#shared/contracts/acp-host.ts';
import { HcaFault } from '#shared/contracts/errors.ts';
import { type Identity, identityIn } from '#shared/contracts/identity.ts';

/** The one tenant of a deployment without an issuer; with one, the tenant of whoever runs it. */
export const TENANT = 'main';

/** Of what API Gateway says about a signed request. */
const Signer = z.object({ userArn: z.string().nullish() });

/** `issuer`: tokens are asked for, so a request without a checked one gets nowhere. @throws HcaFault HcaUnauthenticated */
export const whoAsks = (context: { authorizer: unknown; signer: unknown }, issuer: boolean): Identity => {
  const identity = identityIn(context.authorizer);
  if (identity !== undefined) return identity;
  if (issuer)
    throw new HcaFault('HcaUnauthenticated', { message: 'a token is needed', field: 'token', remedy: 'hca login' });
  const subject = Signer.safeParse(context.signer).data?.userArn ?? 'signer';
  return { principal: { tenant: TENANT, subject: subject.slice(-200), scopes: [...Scope.options] }, expires_at: null };
};
