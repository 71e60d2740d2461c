// The CDK command against an endpoint, with dummy keys: nothing here can reach an account.

import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { DUMMY_KEYS } from './running.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const OUTPUTS = path.join(ROOT, '.reports', 'stacks.json');
const ACCOUNT = 'aws://000000000000/us-east-1';

/** Outputs of every stack by stack name. */
export const Outputs = z.record(z.string(), z.record(z.string(), z.string()));
export type Outputs = z.infer<typeof Outputs>;

/** What every command of the tier sees: our Node, the endpoint, keys that open nothing, and no profile of whoever runs it. */
export const awsEnvironment = (endpoint: string): NodeJS.ProcessEnv => {
  const { AWS_PROFILE: _profile, AWS_SESSION_TOKEN: _session, ...others } = process.env;
  return {
    ...others,
    ...DUMMY_KEYS,
    PATH: [path.join(ROOT, 'node_modules', '.bin'), process.env.PATH].join(path.delimiter),
    AWS_ENDPOINT_URL: endpoint,
    AWS_EC2_METADATA_DISABLED: 'true',
    AWS_CONFIG_FILE: '/dev/null',
    AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
    CDK_DISABLE_CLI_TELEMETRY: 'true',
  };
};

/** Unmodified, as for any account. @throws Error when the command fails */
export const bootstrap = (endpoint: string): void => cdk(endpoint, ['bootstrap', ACCOUNT]);

/** Every stack of the environment dev. @throws Error when the command fails */
export const deploy = (endpoint: string, context: readonly string[]): Outputs => {
  rmSync(OUTPUTS, { force: true });
  const args = ['deploy', '--all', ...contextOf(context), '--require-approval', 'never', '--outputs-file', OUTPUTS];
  cdk(endpoint, args);
  return Outputs.parse(JSON.parse(readFileSync(OUTPUTS, 'utf8')));
};

/** @throws Error when the command fails */
export const destroy = (endpoint: string, context: readonly string[]): void =>
  cdk(endpoint, ['destroy', '--all', ...contextOf(context), '--force']);

const contextOf = (context: readonly string[]): string[] =>
  ['env=dev', ...context].flatMap((pair) => ['--context', pair]);

function cdk(endpoint: string, args: readonly string[]): void {
  const { status, error } = spawnSync(path.join(ROOT, 'node_modules', '.bin', 'cdk'), [...args, '--no-notices'], {
    cwd: ROOT,
    env: { ...awsEnvironment(endpoint), CI: 'true' },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (status !== 0) throw new Error(`cdk ${args[0]} failed`, { cause: error });
}
