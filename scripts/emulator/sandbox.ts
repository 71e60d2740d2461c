// A place to work for the deployed stack: `hca sandbox-server` on this machine, its key in the secret where the stack looks for it.

import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { CreateSecretCommand, DeleteSecretCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import * as z from 'zod';
import { clientConfig } from './leftovers.ts';

const MAIN = fileURLToPath(new URL('../../cli/main.ts', import.meta.url));

/** As infra/environments.ts names it for a place that is there already. */
const SECRET = 'hca-dev-sandbox-key';

const Ready = z.object({ url: z.string() });

export interface SandboxPlace {
  url: string;
  stop(): Promise<void>;
}

/** @throws Error when the server ends before it is ready */
export const startSandbox = async (endpoint: string): Promise<SandboxPlace> => {
  const home = mkdtempSync(path.join(os.tmpdir(), 'hca-sandbox-'));
  const key = randomBytes(32).toString('base64url');
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', MAIN, 'sandbox-server', '--json'], {
    env: { ...process.env, HCA_HOME: home, SESSION_API_KEY: key },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const secrets = new SecretsManagerClient(clientConfig(endpoint));
  await secrets.send(new CreateSecretCommand({ Name: SECRET, SecretString: key }));
  const { url } = Ready.parse(JSON.parse(await firstLine(child)));
  const stop = async (): Promise<void> => {
    await secrets.send(new DeleteSecretCommand({ SecretId: SECRET, ForceDeleteWithoutRecovery: true }));
    await ended(child);
    rmSync(home, { recursive: true, force: true });
  };
  return { url, stop };
};

async function firstLine({ stdout }: ChildProcess): Promise<string> {
  if (stdout === null) throw new Error('the sandbox server has no output');
  for await (const line of createInterface({ input: stdout })) return line;
  throw new Error('the sandbox server ended before it was ready');
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  await exit;
}
