// AWS credentials as every AWS tool finds them: the environment, else a profile of the shared files. Only keys that are written there; what has to be
// asked for first (single sign-on, roles, programs) is left to the `aws` command, and it is said how.
import { readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { AwsCredentials } from '#shared/client/sigv4.ts';
import { HcaFault } from '#shared/contracts/errors.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** Keys to sign with. @throws HcaFault HcaUnauthenticated saying what to do */
export const awsCredentials = (env: Env, profile: string | null): AwsCredentials => {
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = env;
  if (profile === null && AWS_ACCESS_KEY_ID && AWS_SECRET_ACCESS_KEY) {
    return {
      access_key: AWS_ACCESS_KEY_ID,
      secret_key: AWS_SECRET_ACCESS_KEY,
      session_token: AWS_SESSION_TOKEN || null,
    };
  }
  const name = profile ?? (env.AWS_PROFILE || 'default');
  const { aws_access_key_id, aws_secret_access_key, aws_session_token } = sectionOf(env, name);
  if (aws_access_key_id && aws_secret_access_key) {
    return {
      access_key: aws_access_key_id,
      secret_key: aws_secret_access_key,
      session_token: aws_session_token ?? null,
    };
  }
  throw none(name, profile);
};

/** The region that an API's own address names, else the one that is set. @throws HcaFault HcaBadInput */
export const awsRegion = (url: string, env: Env, profile: string | null): string => {
  const named = /\.execute-api\.([a-z0-9-]+)\.amazonaws\.com/.exec(new URL(url).hostname)?.[1];
  const name = profile ?? (env.AWS_PROFILE || 'default');
  const region = named ?? (env.AWS_REGION || env.AWS_DEFAULT_REGION || sectionOf(env, name).region);
  if (region) return region;
  throw new HcaFault('HcaBadInput', {
    message: `the address ${url} does not say in which AWS region it is`,
    field: 'AWS_REGION',
    remedy: 'set AWS_REGION',
  });
};

/** A profile's settings: the credentials file says more than the config file. */
const sectionOf = (env: Env, name: string): Record<string, string> => ({
  ...section(read(env.AWS_CONFIG_FILE || at('config')), name === 'default' ? 'default' : `profile ${name}`),
  ...section(read(env.AWS_SHARED_CREDENTIALS_FILE || at('credentials')), name),
});

const at = (file: string): string => path.join(os.homedir(), '.aws', file);

const read = (file: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
};

/** `[name]`, then `key = value` lines; what is indented belongs to a setting above it. */
const section = (text: string, wanted: string): Record<string, string> => {
  const found: Record<string, string> = {};
  let isWanted = false;
  for (const line of text.split(/\r?\n/)) {
    const name = /^\[\s*(.+?)\s*\]/.exec(line)?.[1];
    if (name !== undefined) isWanted = name === wanted;
    const [, key, value] = /^([a-z_]+)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
    if (isWanted && key !== undefined && value !== undefined) found[key] = value;
  }
  return found;
};

const none = (name: string, profile: string | null): HcaFault => {
  const more = profile === null ? '' : ` --profile ${profile}`;
  return new HcaFault('HcaUnauthenticated', {
    message: `there are no AWS keys in the environment or in the profile "${name}"; single sign-on and roles are not asked for here`,
    field: 'AWS_ACCESS_KEY_ID',
    remedy: `put temporary keys into the environment: eval "$(aws configure export-credentials${more} --format env)"`,
  });
};
