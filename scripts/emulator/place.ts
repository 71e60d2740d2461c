// Where the tier runs: an endpoint that is there already, LocalStack in Docker, or the emulator that we start ourselves.

import { spawnSync } from 'node:child_process';
import { startLocalstack } from './localstack.ts';
import { startEmulator } from './running.ts';

export interface Place {
  name: string;
  endpoint: string;
  /** True for the emulator that this tier starts, whose known gaps are mended or listed. */
  own: boolean;
  /** The last of what it logged, for when something failed. */
  log(): string;
  stop(): Promise<void>;
}

/** Only LocalStack may be missing: without Docker or a token the answer is why. @throws Error when what was asked for does not start */
export const acquire = async (localstack: boolean): Promise<Place | { reason: string }> => {
  const given = process.env.AWS_ENDPOINT_URL ?? '';
  if (given !== '') return foreign(`AWS_ENDPOINT_URL=${given}`, given);
  if (localstack) return dockered();
  const emulator = await startEmulator({ repairs: true });
  return { name: 'ministack 1.5.33, with the repairs of docs/decisions/0040', own: true, ...emulator };
};

const foreign = (name: string, endpoint: string, stop: () => Promise<void> = async () => undefined): Place => ({
  name,
  endpoint,
  own: false,
  log: () => '',
  stop,
});

const dockered = async (): Promise<Place | { reason: string }> => {
  if (spawnSync('docker', ['version'], { stdio: 'ignore' }).status !== 0) return { reason: 'there is no Docker here' };
  const token = process.env.LOCALSTACK_AUTH_TOKEN ?? '';
  if (token === '') return { reason: 'LOCALSTACK_AUTH_TOKEN is not set' };
  const { name, endpoint, stop } = await startLocalstack();
  return foreign(name, endpoint, stop);
};
