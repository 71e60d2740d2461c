// The host as a person has it: `hca` in a process of its own, with a home of its own.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { HOST_FLAGS } from '#cli/start-host.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** A line that a command wrote, and when (ms since it was started). */
export interface Line {
  at: number;
  text: string;
}

/** Runs a script of the package to its end; every line it writes with its time. */
export const runScript = async (
  script: string,
  args: string[],
  env: NodeJS.ProcessEnv = {},
): Promise<{ lines: Line[]; took: number }> => {
  const began = performance.now();
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', path.join(ROOT, script), ...args], {
    env: { ...process.env, NO_COLOR: '1', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines: Line[] = [];
  for await (const piece of child.stdout) {
    const at = performance.now() - began;
    for (const text of String(piece).split('\n')) lines.push({ at, text });
  }
  return { lines, took: performance.now() - began };
};

const HostFile = z.object({ pid: z.int() });

/** Memory that the host of a home holds now, in MB, as the kernel counts it. */
export const residentOf = (home: string): number => {
  const { pid } = HostFile.parse(JSON.parse(readFileSync(path.join(home, 'host.json'), 'utf8')));
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes) / 1024;
};

/** Starts the host that a package ships, with the code that an earlier start has cached. */
export const startBundle = async (home: string, cache: string): Promise<void> => {
  const args = [...HOST_FLAGS, path.join(ROOT, 'dist', 'local.mjs'), '--home', home];
  spawn(process.execPath, args, { stdio: 'ignore', env: { ...process.env, NODE_COMPILE_CACHE: cache } }).unref();
  while (!existsSync(path.join(home, 'host.json'))) await pause(100);
};
