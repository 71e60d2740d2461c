// ARNs of the machines, for the ports that work with executions.
import type { MachineName } from '#shared/contracts/machines.ts';
import { VARIABLES } from '#shared/contracts/storage.ts';
import { type Variables, variable } from './environment.ts';

/** @throws HcaFault HcaBadInput naming the variable of a machine */
export const machinesOf = (variables: Variables): Record<MachineName, string> => ({
  leaf: variable(variables, VARIABLES.machine('leaf')),
  coordinator: variable(variables, VARIABLES.machine('coordinator')),
  review: variable(variables, VARIABLES.machine('review')),
});
