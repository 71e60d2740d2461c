// A place to work for the deployed stack: `hca sandbox-server` on this machine, its key in the secret where the stack looks for it.

import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { CreateSecretCommand, DeleteSecretCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import * as z from 'zod';
import { runFolder } from '../run-folder.ts';
import { clientConfig } from './leftovers.ts';

const BIOME = fileURLToPath(new URL('../../node_modules/@biomejs/', import.meta.url));
const MAIN = fileURLToPath(new URL('../../cli/main.ts', import.meta.url));

/** As infra/environments.ts names it for a place that is there already; a second environment works in the same place. */
const SECRETS = ['hca-dev-sandbox-key', 'hca-staging-sandbox-key'];

const Ready = z.object({ url: z.string() });

export interface SandboxPlace {
  url: string;
  stop(): Promise<void>;
}

/** @throws Error when the server ends before it is ready */
export const startSandbox = async (endpoint: string): Promise<SandboxPlace> => {
  const { folder: top, remove } = runFolder('sandbox');
  const key = randomBytes(32).toString('base64url');
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', MAIN, 'sandbox-server', '--json'], {
    env: {
      ...process.env,
      PATH: [toolsIn(top), process.env.PATH].join(path.delimiter),
      HCA_HOME: path.join(top, 'home'),
      SESSION_API_KEY: key,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const secrets = new SecretsManagerClient(clientConfig(endpoint));
  for (const Name of SECRETS) await secrets.send(new CreateSecretCommand({ Name, SecretString: key }));
  const url = await addressOf(child.stdout);
  const stop = async (): Promise<void> => {
    await ended(child);
    remove();
    for (const SecretId of SECRETS)
      await secrets.send(new DeleteSecretCommand({ SecretId, ForceDeleteWithoutRecovery: true }));
  };
  return { url, stop };
};

/** A folder that is handed over comes without its dependencies; the linter that a scenario's project uses is installed where it is worked on. */
function toolsIn(top: string): string {
  const tools = path.join(top, 'tools');
  mkdirSync(tools);
  const built = readdirSync(BIOME).find((name) => name.startsWith(`cli-${process.platform}-${process.arch}`));
  if (built !== undefined) copyFileSync(path.join(BIOME, built, 'biome'), path.join(tools, 'biome'));
  return tools;
}

/** Ready is said on one line; anything else is why it did not start. */
async function addressOf(stdout: Readable): Promise<string> {
  let text = '';
  for await (const line of createInterface({ input: stdout })) {
    text += line;
    if (/^\{.*\}$/.test(line)) return Ready.parse(JSON.parse(line)).url;
  }
  throw new Error(`the sandbox server did not start: ${text}`);
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  await exit;
}
