// What a door says about where it stands, and whether it asks for tokens.
import { VARIABLES } from '#shared/contracts/storage.ts';
import { type Variables, variable } from './environment.ts';
import { rulesOf } from './issuer.ts';

/** `issuer`: whose tokens, for whom, and the address of the door's WebSockets; null where requests are signed. */
export interface Deployed {
  version: string;
  instance: string;
  issuer: { issuer: string; audience: string; socket: string } | null;
}

/** @throws HcaFault HcaBadInput naming the variable that is missing */
export const deploymentOf = (variables: Variables): Deployed => ({
  version: variable(variables, VARIABLES.version),
  instance: variable(variables, VARIABLES.deployment),
  issuer: (variables[VARIABLES.issuer] ?? '') === '' ? null : issuing(variables),
});

/** Sockets are opened where they are pushed to. */
const issuing = (variables: Variables) => ({
  ...rulesOf(variables),
  socket: variable(variables, VARIABLES.connections).replace(/^http/, 'ws'),
});
