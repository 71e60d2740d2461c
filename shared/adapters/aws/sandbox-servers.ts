// Where sessions of a cloud host live, by its variables: on the agent-server whose address is given, else each on a Fargate task of its own.
import type { ECSClientConfig } from '@aws-sdk/client-ecs';
import { HcaFault } from '#shared/contracts/errors.ts';
import { VARIABLES } from '#shared/contracts/storage.ts';
import type { AgentServer, AgentServers } from '#shared/ports/agent-servers.ts';
import type { FargateSandboxesOptions } from './fargate-sandboxes.ts';

/** `secret` reads the secret of a name; `client` connects to ECS; `tags` go on every task. */
export interface SandboxHouse {
  secret(name: string): Promise<string>;
  client: ECSClientConfig;
  tags?: Readonly<Record<string, string>>;
}

type Variables = Readonly<Record<string, string | undefined>>;

/** @throws HcaFault HcaBadInput naming the variable that is missing */
export const sandboxServers = async (variables: Variables, house: SandboxHouse): Promise<AgentServers> => {
  const url = variables[VARIABLES.sandbox] ?? '';
  if (url === '') {
    const options = await sandboxTasks(variables, house);
    return (await import('./fargate-sandboxes.ts')).fargateSandboxes(options);
  }
  const name = given(variables, VARIABLES.sandboxSecret);
  return keyedServer(url, () => house.secret(name));
};

/** Where tasks are started, also for whoever keeps their pool; its client is loaded when it is used. @throws HcaFault HcaBadInput naming the variable that is missing */
export const sandboxTasks = async (variables: Variables, house: SandboxHouse): Promise<FargateSandboxesOptions> => {
  const name = given(variables, VARIABLES.sandboxSecret);
  const place = {
    cluster: given(variables, VARIABLES.sandboxCluster),
    definition: given(variables, VARIABLES.sandboxTask),
    subnets: given(variables, VARIABLES.sandboxSubnets).split(','),
    group: given(variables, VARIABLES.sandboxGroup),
    group_open: variables[VARIABLES.sandboxGroupOpen] || undefined,
    tags: house.tags ?? {},
  };
  const { ecsClient } = await import('./ecs-client.ts');
  return { ...place, ecs: ecsClient(house.client), secret: () => house.secret(name) };
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
