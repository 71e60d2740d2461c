// Secrets from Secrets Manager: asked for once in a while, never shown in what goes wrong.
import { CreateSecretCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { describe, expect, test } from 'vitest';
import { secretsManagerSecrets } from '#shared/adapters/aws/secretsmanager-secrets.ts';
import { endpoints, freshName } from '#test/support/endpoint.ts';
import { Exception, memoryAws } from '#test/support/memory-aws.ts';

/** A vault that answers like this. */
const vault = (answer: () => object) => {
  const { config, asked } = memoryAws(() => answer());
  const time = { now: 0 };
  const client = new SecretsManagerClient(config);
  const secrets = secretsManagerSecrets({ client, clock: { now: () => time.now }, keep_ms: 1000 });
  return { secrets, asked, time };
};

describe('secrets', () => {
  test('many readers ask once, and again when the time is over', async () => {
    let now = 0;
    const { secrets, asked, time } = vault(() => ({ SecretString: `value ${now}` }));
    expect(await Promise.all([secrets.read('git'), secrets.read('git'), secrets.read('git')])).toEqual([
      'value 0',
      'value 0',
      'value 0',
    ]);
    time.now = 999;
    now = 999;
    expect(await secrets.read('git')).toBe('value 0');
    time.now = 1000;
    now = 1000;
    expect(await secrets.read('git')).toBe('value 1000');
    expect(asked.map(({ input }) => input.SecretId)).toEqual(['git', 'git']);
  });

  test('one that is not there, or is no text, is named, and asked for again by the next reader', async () => {
    const answers: (() => object)[] = [
      () => {
        throw new Exception('ResourceNotFoundException');
      },
      () => ({ SecretBinary: 'AAAA' }),
      () => ({ SecretString: 'there now' }),
    ];
    const { secrets } = vault(() => answers.shift()!());
    const fault = { code: 'HcaNotFound', field: 'secret', message: expect.stringContaining('git') };
    await expect(secrets.read('git')).rejects.toMatchObject(fault);
    await expect(secrets.read('git')).rejects.toMatchObject(fault);
    expect(await secrets.read('git')).toBe('there now');
  });

  test.each([
    ['ThrottlingException', 400, 'HcaThrottled'],
    ['InternalServiceError', 500, 'HcaUnavailable'],
    ['AccessDeniedException', 400, 'HcaInternal'],
  ])('%s is a fault', async (name, status, code) => {
    const { secrets } = vault(() => {
      throw new Exception(name, status);
    });
    await expect(secrets.read('git')).rejects.toMatchObject({ code });
  });
});

for (const emulator of endpoints)
  test('on the emulator, a secret is read', async () => {
    const client = new SecretsManagerClient(emulator);
    const name = freshName();
    await client.send(new CreateSecretCommand({ Name: name, SecretString: 'open sesame' }));
    const secrets = secretsManagerSecrets({ client, clock: { now: Date.now } });
    expect(await secrets.read(name)).toBe('open sesame');
    await expect(secrets.read(freshName())).rejects.toMatchObject({ code: 'HcaNotFound' });
  });
