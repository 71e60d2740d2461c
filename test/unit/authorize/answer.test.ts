// What the cloud's authorizer answers, on HTTP and on the way to a WebSocket, and that the door reads from it who asks.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { authorizerAnswer, readRules, tokenVerifier, type Verify } from '#functions/authorize/step.ts';
import { identityIn } from '#shared/contracts/identity.ts';
import { AUDIENCE, type Issuer, startIssuer } from '#test/support/issuer.ts';

const ARN = 'arn:aws:execute-api:eu-central-1:123456789012:abc/prod/$connect';

let issuer: Issuer;
let verify: Verify;
beforeAll(async () => {
  issuer = await startIssuer();
  verify = tokenVerifier(readRules({ issuer: issuer.url, audience: AUDIENCE }));
});
afterAll(() => issuer.close());

it('HTTP: a good token is let in, with who it is in the context', async () => {
  const headers = {
    Authorization: `Bearer ${await issuer.sign({ claims: { tenant: 'acme', scope: 'approve read' } })}`,
  };
  const answer = await authorizerAnswer({ version: '2.0', type: 'REQUEST', headers }, verify);
  expect(answer).toMatchObject({ isAuthorized: true });
  expect(identityIn(answer.context)).toEqual(await verify(headers.Authorization.slice(7)));
  for (const value of Object.values(answer.context)) expect(typeof value).toBe('string');
});

it('WebSocket: the token may be a subprotocol, and only what was asked for is allowed', async () => {
  const headers = { 'Sec-WebSocket-Protocol': `hca.v1, hca.bearer.${await issuer.sign()}` };
  const answer = await authorizerAnswer({ type: 'REQUEST', methodArn: ARN, headers }, verify);
  expect(answer).toMatchObject({
    principalId: 'alice',
    policyDocument: { Statement: [{ Action: 'execute-api:Invoke', Effect: 'Allow', Resource: ARN }] },
  });
});

it.each([
  ['none', {}],
  ['an expired one', 'expired'],
  ['nonsense', { authorization: 'Bearer nonsense' }],
  ['another scheme', { authorization: 'Basic YTpi' }],
])('with %s it is no, and the context says nothing of anybody', async (_what, given) => {
  const expired = { authorization: `Bearer ${await issuer.sign({ expires_in: -60 })}` };
  const headers = given === 'expired' ? expired : given;
  const http = await authorizerAnswer({ headers }, verify);
  expect(http).toMatchObject({ isAuthorized: false });
  expect(identityIn(http.context)).toBeUndefined();
  const socket = await authorizerAnswer({ headers, methodArn: ARN }, verify);
  expect(socket).toMatchObject({ policyDocument: { Statement: [{ Effect: 'Deny' }] } });
});

it('an issuer that cannot be asked is an error, not a no', async () => {
  const lost = tokenVerifier(readRules({ issuer: 'http://127.0.0.1:9', audience: AUDIENCE }));
  const headers = { authorization: `Bearer ${await issuer.sign()}` };
  await expect(authorizerAnswer({ headers }, lost)).rejects.toMatchObject({ code: 'HcaUnavailable' });
});
