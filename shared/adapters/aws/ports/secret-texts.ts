// The texts of secrets by their full names.
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { type SecretTexts, secretsManagerSecrets } from '../secretsmanager-secrets.ts';
import { clock } from './clock.ts';
import { connecting } from './connecting.ts';
import type { Build } from './environment.ts';

export const secretTexts: Build<SecretTexts> = (variables) =>
  secretsManagerSecrets({ client: new SecretsManagerClient(connecting(variables)), clock: clock(variables) });
