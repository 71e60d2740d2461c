// The authorizer as a Lambda function, where an issuer is configured.
import { rulesOf } from '#shared/adapters/aws/ports/issuer.ts';
import { wrapped } from '../wrap.ts';
import { authorizerAnswer, readRules, tokenVerifier } from './step.ts';

const verify = tokenVerifier(readRules(rulesOf(process.env)));

export const handler = wrapped('authorize', (event) => authorizerAnswer(event, verify));
