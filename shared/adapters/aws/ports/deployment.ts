// What a door says about where it stands, and whether it asks for tokens.
import { VARIABLES } from '#shared/contracts/storage.ts';
import { type Variables, variable } from './environment.ts';

export const deploymentOf = (variables: Variables): { version: string; instance: string; issuer: boolean } => ({
  version: variable(variables, VARIABLES.version),
  instance: variable(variables, VARIABLES.deployment),
  issuer: (variables[VARIABLES.issuer] ?? '') !== '',
});
