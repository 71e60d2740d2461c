// Sessions of this deployment: on the agent-server whose address is given, or each on a task of its own; the bucket keeps what they hold.
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { Sandbox } from '#shared/ports/sandbox.ts';
import { OpenHandsSandbox } from '../../open/openhands-sandbox.ts';
import { sandboxServers } from '../sandbox-servers.ts';
import { secretsManagerSecrets } from '../secretsmanager-secrets.ts';
import { clock } from './clock.ts';
import { connecting } from './connecting.ts';
import type { Build } from './environment.ts';
import { workspaces } from './workspaces.ts';

/** The key is read when a session needs it, and read again when it was changed. */
export const agentServer: Build<Promise<Sandbox>> = async (variables) => {
  const client = connecting(variables);
  const secrets = secretsManagerSecrets({ client: new SecretsManagerClient(client), clock: clock(variables) });
  const servers = await sandboxServers(variables, { client, secret: (name) => secrets.read(name) });
  return new OpenHandsSandbox(servers, workspaces(variables));
};
