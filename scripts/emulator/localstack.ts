// LocalStack in Docker: a pinned image, the token handed on by name and never written anywhere. On the host's network, because the
// functions it starts call back to servers of the tests on the loopback interface.

import { spawnSync } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from './running.ts';

const IMAGE = 'localstack/localstack:2026.04.0';
const PATIENCE_MS = 180_000;

export interface Localstack {
  name: string;
  endpoint: string;
  stop(): Promise<void>;
}

/** @throws Error with Docker's words, or when it does not answer in three minutes */
export const startLocalstack = async (): Promise<Localstack> => {
  const port = await freePort();
  const container = docker([
    ...['run', '--detach', '--rm', '--network', 'host'],
    ...['--volume', '/var/run/docker.sock:/var/run/docker.sock'],
    ...['--env', 'LOCALSTACK_AUTH_TOKEN'],
    ...['--env', `GATEWAY_LISTEN=127.0.0.1:${port}`],
    ...['--env', 'LAMBDA_DOCKER_NETWORK=host'],
    IMAGE,
  ]);
  const stop = async (): Promise<void> => {
    docker(['stop', container]);
  };
  const endpoint = `http://127.0.0.1:${port}`;
  if (await answers(endpoint)) return { name: IMAGE, endpoint, stop };
  const said = spawnSync('docker', ['logs', container], { encoding: 'utf8' });
  await stop();
  throw new Error(`${IMAGE} does not answer:\n${said.stdout}${said.stderr}`);
};

function docker(args: string[]): string {
  const { status, stdout, stderr } = spawnSync('docker', args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`docker ${args[0]} failed: ${stderr}`);
  return stdout.trim();
}

async function answers(endpoint: string): Promise<boolean> {
  const deadline = Date.now() + PATIENCE_MS;
  while (Date.now() < deadline) {
    const healthy = await fetch(`${endpoint}/_localstack/health`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (healthy) return true;
    await delay(500);
  }
  return false;
}
