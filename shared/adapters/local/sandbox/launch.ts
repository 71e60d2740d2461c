// Starts one process group that cannot outlive its host: each has a watcher that kills it when the host is gone.
import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { HcaFault } from '#shared/contracts/errors.ts';

export type Launch = {
  /** Arguments of bubblewrap with its program first, or null for a plain process group. */
  confine: readonly string[] | null;
  argv: readonly string[];
  cwd: string;
  env: Readonly<Record<string, string>>;
  memory_bytes: number | null;
};

export type Launched = { child: ChildProcess; pid: number; stdin: Writable; stdout: Readable; stderr: Readable };

/** @throws HcaFault HcaSandbox when the system starts no process. */
export function launch(request: Launch): Launched {
  const limited = ['/bin/sh', '-c', `${limits(request.memory_bytes)}exec "$@"`, 'sh', ...request.argv];
  const watched = ['-c', WATCHED, 'sh', ...(request.confine ?? []), ...limited];
  const child = spawn('/bin/sh', watched, {
    cwd: request.confine === null ? request.cwd : '/',
    env: request.env,
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
  });
  const { pid, stdin, stdout, stderr } = child;
  if (pid === undefined || stdin === null || stdout === null || stderr === null) {
    child.on('error', () => undefined);
    throw new HcaFault('HcaSandbox', { message: 'the system started no process for the sandbox' });
  }
  // A command that does not read its input closes the pipe; that is its business.
  stdin.on('error', () => undefined);
  return { child, pid, stdin, stdout, stderr };
}

/** Data segment, not address space: V8 reserves far more addresses than it ever uses. Per process, in KiB. No core files. */
function limits(memory: number | null): string {
  const data = memory === null ? '' : `ulimit -d ${Math.floor(memory / 1024)} 2>/dev/null; `;
  return `ulimit -c 0 2>/dev/null; ${data}`;
}

/**
 * The watcher reads a pipe whose other end only the host holds: when the host dies it reads the end and kills the group.
 * Bubblewrap has it too, because a host that dies while bubblewrap starts is missed by `--die-with-parent`.
 */
const WATCHED = '(read _ <&3; kill -9 -$$) </dev/null >/dev/null 2>&1 & exec 3<&-; exec "$@"';
