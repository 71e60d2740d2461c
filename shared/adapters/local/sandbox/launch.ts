// Starts one process group that cannot outlive its host: bubblewrap dies with its parent, a plain group has a watcher.
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
  const script = `${limits(request.memory_bytes)}${request.confine === null ? WATCHED : ''}exec "$@"`;
  const inner = ['/bin/sh', '-c', script, 'sh', ...request.argv];
  const [program = '/bin/sh', ...args] = request.confine === null ? inner : [...request.confine, ...inner];
  const child = spawn(program, args, {
    cwd: request.confine === null ? request.cwd : '/',
    env: request.env,
    detached: true,
    stdio: request.confine === null ? ['pipe', 'pipe', 'pipe', 'pipe'] : ['pipe', 'pipe', 'pipe'],
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

/** The watcher reads a pipe whose other end only the host holds: when the host dies it reads the end and kills the group. */
const WATCHED = '(read _ <&3; kill -9 -$$) </dev/null >/dev/null 2>&1 & exec 3<&-; ';
