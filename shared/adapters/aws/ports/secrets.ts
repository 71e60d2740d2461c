// Secrets that people name, each tenant's below its own name, so that nobody can name another's.
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { VARIABLES } from '#shared/contracts/storage.ts';
import type { Secrets } from '#shared/ports/secrets.ts';
import { secretsManagerSecrets } from '../secretsmanager-secrets.ts';
import { clock } from './clock.ts';
import { connecting } from './connecting.ts';
import { type Build, variable } from './environment.ts';
import { tenantNow } from './tenant.ts';

export const secrets: Build<Secrets> = (variables) => {
  const client = new SecretsManagerClient(connecting(variables));
  const prefix = variable(variables, VARIABLES.secrets);
  const all = secretsManagerSecrets({ client, clock: clock(variables), prefix });
  return { read: (name) => all.read(`${tenantNow()}/${name}`) };
};
