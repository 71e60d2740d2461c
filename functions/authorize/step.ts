// Who asks at the door from elsewhere: what a host or an authorizer calls. Verifies and decides; keeps nothing but the issuer's keys.
export { authorizerAnswer } from './answer.ts';
export { readRules, type TokenRules } from './rules.ts';
export { SUBPROTOCOL, tokenIn } from './token.ts';
export { tokenVerifier, type Verify } from './verify.ts';
