// Executions and their histories for a door, which only looks at them: the client of Step Functions is loaded when somebody traces a task.
import type { History, Workflows } from '#shared/ports/world.ts';
import { executionArn, linkOf } from '../sfn-arns.ts';
import type { Variables } from './environment.ts';
import { machinesOf } from './machines.ts';

/** @throws HcaFault HcaBadInput naming the variable of a machine */
export const executionsOf = (variables: Variables): { workflows: Workflows; history: History } => {
  const machines = machinesOf(variables);
  const workflows = async (): Promise<Workflows> => (await import('./workflows.ts')).workflows(variables);
  return {
    history: {
      link: (machine, name) => linkOf(executionArn(machines, { machine, name })),
      events: async (machine, name) => (await import('./history.ts')).history(variables).events(machine, name),
    },
    workflows: {
      describe: async (machine, name) => (await workflows()).describe(machine, name),
      start: async (machine, name, input) => (await workflows()).start(machine, name, input),
      succeed: async (token) => (await workflows()).succeed(token),
      fail: async (token, error, cause) => (await workflows()).fail(token, error, cause),
      stop: async (machine, name, cause) => (await workflows()).stop(machine, name, cause),
    },
  };
};
