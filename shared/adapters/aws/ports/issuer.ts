// Whose tokens are taken.
import { VARIABLES } from '#shared/contracts/storage.ts';
import { type Variables, variable } from './environment.ts';

/** @throws HcaFault HcaBadInput naming the variable that is missing */
export const rulesOf = (variables: Variables): { issuer: string; audience: string } => ({
  issuer: variable(variables, VARIABLES.issuer),
  audience: variable(variables, VARIABLES.audience),
});
