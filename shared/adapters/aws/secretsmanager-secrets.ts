// Secrets from Secrets Manager, asked for once in a while: a changed secret is used within minutes, and a burst of work asks once.
import { GetSecretValueCommand, type SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { HcaFault } from '#shared/contracts/errors.ts';
import type { Clock } from '#shared/ports/world.ts';
import { awsCall, isNamed } from './aws-call.ts';

/** Texts by the names of secrets; names come from the deployment, never from people. */
export interface SecretTexts {
  /** @throws HcaFault HcaNotFound naming the secret, HcaUnavailable, HcaThrottled */
  read(name: string): Promise<string>;
}

/** `keep_ms`: how long one is believed. */
export interface SecretsHouse {
  client: SecretsManagerClient;
  clock: Pick<Clock, 'now'>;
  keep_ms?: number;
}

/** Five minutes: a rotated secret is seen soon, and its reads cost nothing that counts. */
const KEEP_MS = 300_000;

export const secretsManagerSecrets = ({ client, clock, keep_ms = KEEP_MS }: SecretsHouse): SecretTexts => {
  const kept = new Map<string, { at: number; value: Promise<string> }>();
  return {
    read: async (id) => {
      const known = kept.get(id);
      if (known !== undefined && clock.now() - known.at < keep_ms) return known.value;
      const value = ask(client, id);
      kept.set(id, { at: clock.now(), value });
      // What went wrong is asked again by the next one.
      value.catch(() => kept.delete(id));
      return value;
    },
  };
};

async function ask(client: SecretsManagerClient, id: string): Promise<string> {
  try {
    const command = new GetSecretValueCommand({ SecretId: id });
    const { SecretString } = await client.send(command);
    if (SecretString !== undefined) return SecretString;
  } catch (caught) {
    if (!isNamed(caught, 'ResourceNotFoundException')) return awsCall(`secret ${id}`, () => Promise.reject(caught));
  }
  throw new HcaFault('HcaNotFound', {
    message: `there is no secret "${id}" with a text`,
    field: 'secret',
    remedy: 'store it as text in Secrets Manager, in the region of this deployment',
  });
}
