// Where sessions of a cloud host live, by its variables: on the agent-server whose address is given, else each on a Fargate task of its own.
import type { ECSClient } from '@aws-sdk/client-ecs';
import { HcaFault } from '#shared/contracts/errors.ts';
import { VARIABLES } from '#shared/contracts/storage.ts';
import type { AgentServer, AgentServers } from '#shared/ports/agent-servers.ts';
import { type FargateSandboxes, fargateSandboxes } from './fargate-sandboxes.ts';

/** `secret` reads the secret of a name; `ecs` is made only when tasks are started; `tags` go on every task. */
export interface SandboxHouse {
  secret(name: string): Promise<string>;
  ecs(): ECSClient;
  tags?: Readonly<Record<string, string>>;
}

type Variables = Readonly<Record<string, string | undefined>>;

/** @throws HcaFault HcaBadInput naming the variable that is missing */
export const sandboxServers = (variables: Variables, house: SandboxHouse): AgentServers => {
  const name = given(variables, VARIABLES.sandboxSecret);
  const secret = (): Promise<string> => house.secret(name);
  const url = variables[VARIABLES.sandbox] ?? '';
  return url === '' ? sandboxTasks(variables, house) : keyedServer(url, secret);
};

/** The tasks, also for whoever keeps their pool. @throws HcaFault HcaBadInput naming the variable that is missing */
export const sandboxTasks = (variables: Variables, house: SandboxHouse): FargateSandboxes => {
  const name = given(variables, VARIABLES.sandboxSecret);
  const open = variables[VARIABLES.sandboxGroupOpen];
  return fargateSandboxes({
    ecs: house.ecs(),
    cluster: given(variables, VARIABLES.sandboxCluster),
    definition: given(variables, VARIABLES.sandboxTask),
    subnets: given(variables, VARIABLES.sandboxSubnets).split(','),
    group: given(variables, VARIABLES.sandboxGroup),
    ...(open === undefined || open === '' ? {} : { group_open: open }),
    ...(house.tags === undefined ? {} : { tags: house.tags }),
    secret: () => house.secret(name),
  });
};

/** One server for all; its key is read when a session needs it. */
const keyedServer = (url: string, secret: () => Promise<string>): AgentServers => {
  const server = async (): Promise<AgentServer> => ({ url, key: await secret() });
  return { claim: server, find: server, release: async () => undefined, all: async () => [await server()] };
};

const given = (variables: Variables, name: string): string => {
  const value = variables[name] ?? '';
  if (value !== '') return value;
  throw new HcaFault('HcaBadInput', {
    message: `the environment variable ${name} is not set`,
    field: name,
    remedy: `give the address of an agent-server in ${VARIABLES.sandbox}, or deploy the sandbox stack: it sets what a task is started with`,
  });
};
