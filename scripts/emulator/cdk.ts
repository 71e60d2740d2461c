// The CDK command against an endpoint, with dummy keys: nothing here can reach an account.

import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { runFolder } from '../run-folder.ts';
import { DUMMY_KEYS } from './running.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const OUTPUTS = path.join(ROOT, '.reports', 'stacks.json');
/** Of its own: one that another command writes to is locked. */
const ASSEMBLY = path.join(ROOT, 'node_modules', '.cache', 'hca-emulator-cdk');
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

/** Unmodified, as for any account; it needs no app. @throws Error when the command fails */
export const bootstrap = (endpoint: string): void => {
  const { folder: nowhere, remove } = runFolder('bootstrap');
  try {
    cdk({ endpoint, cwd: nowhere }, ['bootstrap', ACCOUNT]);
  } finally {
    remove();
  }
};

/** Every stack of the environment dev. @throws Error when the command fails */
export const deploy = (endpoint: string, context: readonly string[]): Outputs => {
  rmSync(OUTPUTS, { force: true });
  const where = ['--output', ASSEMBLY, '--outputs-file', OUTPUTS];
  cdk({ endpoint, cwd: ROOT }, ['deploy', '--all', ...contextOf(context), '--require-approval', 'never', ...where]);
  return Outputs.parse(JSON.parse(readFileSync(OUTPUTS, 'utf8')));
};

/** Of what was deployed, so that nothing is built for it. @throws Error when the command fails */
export const destroy = (endpoint: string): void =>
  cdk({ endpoint, cwd: ROOT }, ['destroy', '--all', '--app', ASSEMBLY, '--build', 'true', '--force']);

const contextOf = (context: readonly string[]): string[] =>
  ['env=dev', ...context].flatMap((pair) => ['--context', pair]);

function cdk({ endpoint, cwd }: { endpoint: string; cwd: string }, args: readonly string[]): void {
  const { status, error } = spawnSync(path.join(ROOT, 'node_modules', '.bin', 'cdk'), [...args, '--no-notices'], {
    cwd,
    env: { ...awsEnvironment(endpoint), CI: 'true' },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (status !== 0) throw new Error(`cdk ${args[0]} failed`, { cause: error });
}
