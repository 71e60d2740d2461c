// The authorizer as a Lambda function, where an issuer is configured.
import { rulesOf } from '#shared/adapters/aws/ports/issuer.ts';
import { wrapped } from '../wrap.ts';
import { authorizerAnswer, readRules, tokenVerifier } from './step.ts';

export const handler = wrapped('authorize', () => {
  const verify = tokenVerifier(readRules(rulesOf(process.env)));
  return (event) => authorizerAnswer(event, verify);
});
