// The agent-server of this deployment: its address and key, and the bucket for what sessions hold.
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { VARIABLES } from '#shared/contracts/storage.ts';
import type { AgentServer, AgentServers } from '#shared/ports/agent-servers.ts';
import type { Sandbox } from '#shared/ports/sandbox.ts';
import { OpenHandsSandbox } from '../../open/openhands-sandbox.ts';
import { secretsManagerSecrets } from '../secretsmanager-secrets.ts';
import { clock } from './clock.ts';
import { connecting } from './connecting.ts';
import { type Build, type Variables, variable } from './environment.ts';
import { workspaces } from './workspaces.ts';

export const agentServer: Build<Sandbox> = (variables) =>
  new OpenHandsSandbox(serverOf(variables), workspaces(variables));

/** One server for all sessions; its key is read when a session needs it, and read again when it was changed. */
const serverOf = (variables: Variables): AgentServers => {
  const url = variable(variables, VARIABLES.sandbox);
  const secret = variable(variables, VARIABLES.sandboxSecret);
  const secrets = secretsManagerSecrets({
    client: new SecretsManagerClient(connecting(variables)),
    clock: clock(variables),
  });
  const server = async (): Promise<AgentServer> => ({ url, key: await secrets.read(secret) });
  return { claim: server, find: server, release: async () => undefined, all: async () => [await server()] };
};
