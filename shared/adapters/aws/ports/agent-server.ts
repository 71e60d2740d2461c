// Where sessions live: on the agent-server of this deployment, or each on a task of its own; what they hold is kept in the bucket.
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { VARIABLES } from '#shared/contracts/storage.ts';
import type { Sandbox } from '#shared/ports/sandbox.ts';
import { OpenHandsSandbox } from '../../open/openhands-sandbox.ts';
import { sandboxServers } from '../sandbox-servers.ts';
import { secretsManagerSecrets } from '../secretsmanager-secrets.ts';
import { clock } from './clock.ts';
import { connecting } from './connecting.ts';
import type { Build } from './environment.ts';
import { workspaces } from './workspaces.ts';

/** The key is read when a session needs it, and read again when it was changed; the client of tasks is loaded where there are tasks. */
export const agentServer: Build<Promise<Sandbox>> = async (variables) => {
  const client = connecting(variables);
  const keys = secretsManagerSecrets({ client: new SecretsManagerClient(client), clock: clock(variables) });
  const servers = await sandboxServers(variables, {
    client,
    secret: (name) => keys.read(name),
    tags: { 'hca:deployment': variables[VARIABLES.deployment] ?? 'hca', 'hca:part': 'sandbox' },
  });
  return new OpenHandsSandbox(servers, workspaces(variables));
};
