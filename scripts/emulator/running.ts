// Starts and ends one emulator on a free port of the loopback interface. Its Lambdas inherit its PATH, which holds node and nothing
// else: whatever needs git, npm or Python there fails here.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, openSync, readFileSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { runFolder } from '../run-folder.ts';
import { emulatorPython } from './python.ts';

const LAUNCHER = fileURLToPath(new URL('repaired.py', import.meta.url));

/** How much of a Retry's interval or a Wait passes: paths with six retries take a second, not a minute. */
const WAIT_SCALE = '0.01';
/** Seconds before a failed asynchronous call is made again, and twice that before the last: a minute and two on AWS. */
const ASYNC_RETRY = '0.2';
const PATIENCE_MS = 60_000;

/** Keys that every emulator takes and that open nothing. */
export const DUMMY_KEYS = {
  AWS_ACCESS_KEY_ID: 'test',
  AWS_SECRET_ACCESS_KEY: 'test',
  AWS_REGION: 'us-east-1',
  AWS_DEFAULT_REGION: 'us-east-1',
} as const;

export interface Emulator {
  endpoint: string;
  /** What it has logged so far. */
  log(): string;
  /** Ends it and every process it started. */
  stop(): Promise<void>;
}

/** Starts ministack; `repairs` as docs/decisions/0040 lists them, or none: as published. @throws Error with its log */
export const startEmulator = async ({ repairs }: { repairs: boolean }): Promise<Emulator> => {
  const { folder, remove } = runFolder('emulator');
  const logFile = path.join(folder, 'emulator.log');
  const port = await freePort();
  const child = launch({ folder, logFile, port, repairs });
  const log = (): string => readFileSync(logFile, 'utf8');
  const unexpected = (code: number | null, by: string | null): void =>
    console.error(
      `THE EMULATOR ENDED BY ITSELF (${by ?? `exit code ${code}`}); its log ends with:\n${log().slice(-2_000)}`,
    );
  child.once('exit', unexpected);
  const stop = async (): Promise<void> => {
    child.off('exit', unexpected);
    await end(child);
    remove();
  };
  const endpoint = `http://127.0.0.1:${port}`;
  if (await answers(endpoint, child)) return { endpoint, log, stop };
  const said = log();
  await stop();
  throw new Error(`the emulator did not start:\n${said}`);
};

interface Launch {
  folder: string;
  logFile: string;
  port: number;
  repairs: boolean;
}

function launch({ folder, logFile, port, repairs }: Launch): ChildProcess {
  const bin = path.join(folder, 'bin');
  mkdirSync(bin);
  symlinkSync(process.execPath, path.join(bin, 'node'));
  const output = openSync(logFile, 'a');
  return spawn(emulatorPython(), [LAUNCHER], {
    cwd: folder,
    detached: true,
    stdio: ['ignore', output, output],
    env: {
      ...DUMMY_KEYS,
      PATH: bin,
      HOME: folder,
      TMPDIR: folder,
      LANG: 'C.UTF-8',
      PYTHONDONTWRITEBYTECODE: '1',
      BIND_HOST: '127.0.0.1',
      MINISTACK_HOST: '127.0.0.1',
      GATEWAY_PORT: String(port),
      LAMBDA_EXECUTOR: 'local',
      SFN_WAIT_SCALE: WAIT_SCALE,
      LAMBDA_ASYNC_RETRY_BASE_SECONDS: ASYNC_RETRY,
      HCA_REPAIRS: repairs ? 'on' : 'off',
    },
  });
}

/** A port nobody listens on at this moment. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no free port');
  return address.port;
}

async function answers(endpoint: string, child: ChildProcess): Promise<boolean> {
  const deadline = Date.now() + PATIENCE_MS;
  while (Date.now() < deadline && child.exitCode === null) {
    const healthy = await fetch(`${endpoint}/_ministack/health`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (healthy) return true;
    await delay(100);
  }
  return false;
}

/** The process group, since the workers of its Lambdas are processes too: asked first, then made. */
async function end(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null) return;
  const exited = once(child, 'exit');
  signal(child.pid, 'SIGTERM');
  await Promise.race([exited, delay(3_000, undefined, { ref: false })]);
  signal(child.pid, 'SIGKILL');
  await exited;
}

function signal(group: number, name: NodeJS.Signals): void {
  try {
    process.kill(-group, name);
  } catch {
    // The group has ended by itself.
    return;
  }
}
