// ARNs of the machines, for the ports that work with executions.
import { VARIABLES } from '#shared/contracts/storage.ts';
import type { MachineName } from '#shared/ports/world.ts';
import { type Variables, variable } from './environment.ts';

/** @throws HcaFault HcaBadInput naming the variable of a machine */
export const machinesOf = (variables: Variables): Record<MachineName, string> => ({
  task: variable(variables, VARIABLES.machine('task')),
  review: variable(variables, VARIABLES.machine('review')),
});
