// The answer of an authorizer in front of the door, for HTTP (payload 2.0) and for `$connect` of a WebSocket: who asks, or no.
import * as z from 'zod';
import { isFault } from '#shared/contracts/errors.ts';
import { contextOf, type Identity } from '#shared/contracts/identity.ts';
import { tokenIn } from './token.ts';
import type { Verify } from './verify.ts';

/** What both kinds of request have. A WebSocket's names the method it asks for, `arn:aws:execute-api:…/$connect`. */
const AuthorizerRequest = z.object({
  headers: z.record(z.string(), z.string().optional()).nullish(),
  methodArn: z.string().optional(),
});

/** The simple form of an HTTP API. */
export interface SimpleAnswer {
  isAuthorized: boolean;
  context: Record<string, string>;
}

/** The policy form of a WebSocket API. */
export interface PolicyAnswer {
  principalId: string;
  policyDocument: {
    Version: '2012-10-17';
    Statement: { Action: 'execute-api:Invoke'; Effect: 'Allow' | 'Deny'; Resource: string }[];
  };
  context: Record<string, string>;
}

/** Never throws for a bad token, which is a no with its reason; throws HcaUnavailable when the issuer cannot be asked. */
export const authorizerAnswer = async (request: unknown, verify: Verify): Promise<SimpleAnswer | PolicyAnswer> => {
  const { headers, methodArn } = AuthorizerRequest.parse(request);
  const token = tokenIn(lowerCased(headers ?? {}));
  const judged = token === undefined ? 'a bearer token is needed' : await judge(token, verify);
  const isAuthorized = typeof judged !== 'string';
  const context = isAuthorized ? contextOf(judged) : { error: judged };
  if (methodArn === undefined) return { isAuthorized, context };
  const Effect = isAuthorized ? ('Allow' as const) : ('Deny' as const);
  return {
    principalId: isAuthorized ? judged.principal.subject : 'nobody',
    policyDocument: {
      Version: '2012-10-17',
      Statement: [{ Action: 'execute-api:Invoke', Effect, Resource: methodArn }],
    },
    context,
  };
};

const judge = async (token: string, verify: Verify): Promise<Identity | string> => {
  try {
    return await verify(token);
  } catch (error) {
    if (isFault(error) && !error.retryable) return error.message;
    throw error;
  }
};

const lowerCased = (headers: Record<string, string | undefined>): Record<string, string | undefined> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
