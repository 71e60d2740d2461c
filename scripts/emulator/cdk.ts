// The CDK command against an endpoint, with dummy keys: nothing here can reach an account.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { runFolder } from '../run-folder.ts';
import { DUMMY_KEYS } from './running.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const REPORTS = path.join(ROOT, '.reports');
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
export const bootstrap = async (endpoint: string): Promise<void> => {
  const { folder: nowhere, remove } = runFolder('bootstrap');
  try {
    await cdk({ endpoint, cwd: nowhere }, ['bootstrap', ACCOUNT]);
  } finally {
    remove();
  }
};

/** What is deployed: an environment, with `-c` of CDK; `built`: from another folder, in which the functions are bundled already. */
export interface Deployment {
  environment: string;
  context: readonly string[];
  built?: string;
}

/** Every stack of an environment. @throws Error when the command fails */
export const deploy = async (endpoint: string, { environment, context, built }: Deployment): Promise<Outputs> => {
  const outputs = path.join(REPORTS, `stacks-${environment}.json`);
  rmSync(outputs, { force: true });
  const told = [`env=${environment}`, ...context].flatMap((pair) => ['--context', pair]);
  const where = ['--output', assemblyOf(environment), '--outputs-file', outputs];
  const build = built === undefined ? [] : ['--build', 'true'];
  const args = ['deploy', '--all', ...told, '--require-approval', 'never', ...where, ...build];
  await cdk({ endpoint, cwd: built ?? ROOT }, args);
  return Outputs.parse(JSON.parse(readFileSync(outputs, 'utf8')));
};

/** Of what was deployed, so that nothing is built for it. @throws Error when the command fails */
export const destroy = (endpoint: string, environment: string): Promise<void> => {
  const deployed = ['--app', assemblyOf(environment), '--build', 'true'];
  return cdk({ endpoint, cwd: ROOT }, ['destroy', '--all', ...deployed, '--force']);
};

/** Of its own: one that another command writes to is locked. */
const assemblyOf = (environment: string): string =>
  path.join(ROOT, 'node_modules', '.cache', `hca-emulator-cdk-${environment}`);

async function cdk({ endpoint, cwd }: { endpoint: string; cwd: string }, args: readonly string[]): Promise<void> {
  const child = spawn(path.join(ROOT, 'node_modules', '.bin', 'cdk'), [...args, '--no-notices'], {
    cwd,
    env: { ...awsEnvironment(endpoint), CI: 'true' },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const [status] = await once(child, 'exit');
  if (status !== 0) throw new Error(`cdk ${args[0]} failed`);
}
