// Where sessions live: on the agent-server of this deployment, or each on a task of its own; what they hold is kept in the bucket.
import { VARIABLES } from '#shared/contracts/storage.ts';
import type { Sandbox } from '#shared/ports/sandbox.ts';
import { OpenHandsSandbox } from '../../open/openhands-sandbox.ts';
import { sandboxServers } from '../sandbox-servers.ts';
import { connecting } from './connecting.ts';
import type { Build } from './environment.ts';
import { secretTexts } from './secret-texts.ts';
import { workspaces } from './workspaces.ts';

export const agentServer: Build<Promise<Sandbox>> = async (variables) => {
  const keys = secretTexts(variables);
  const servers = await sandboxServers(variables, {
    secret: (name) => keys.read(name),
    client: connecting(variables),
    tags: { 'hca:deployment': variables[VARIABLES.deployment] ?? 'hca', 'hca:part': 'sandbox' },
  });
  return new OpenHandsSandbox(servers, workspaces(variables));
};
