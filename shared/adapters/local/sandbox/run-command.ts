// Runs one command to its end, its time limit or an interrupt, and reports what it wrote within bounds.
import type { RunOutcome } from '#shared/ports/sandbox.ts';
import { BoundedOutput } from './bounded-output.ts';
import { type Launch, type Launched, launch } from './launch.ts';
import { killGroup } from './strays.ts';

export type CommandRequest = { launch: Launch; stdin: string | undefined; timeout_ms: number; output_bytes: number };

/** `done` never rejects; `interrupt` may be called at any time, any number of times. */
export type RunningCommand = { done: Promise<Omit<RunOutcome, 'confinement'>>; interrupt(): void };

/** Output may still be in the pipes when a command ends; a stray that keeps them open is not waited for longer than this. */
const DRAIN_MS = 500;

export function startCommand(request: CommandRequest): RunningCommand {
  const started = Date.now();
  const launched = launch(request.launch);
  const [stdout, stderr] = [new BoundedOutput(request.output_bytes), new BoundedOutput(request.output_bytes)];
  launched.stdout.on('data', (chunk: Buffer) => stdout.add(chunk));
  launched.stderr.on('data', (chunk: Buffer) => stderr.add(chunk));
  launched.stdin.end(request.stdin ?? '');
  const why = { timed_out: false, interrupted: false };
  const timer = setTimeout(() => {
    why.timed_out = true;
    killGroup(launched.pid);
  }, request.timeout_ms);
  const done = ended(launched).then(({ exit_code, signal }) => {
    clearTimeout(timer);
    return {
      exit_code: why.timed_out || why.interrupted ? null : exit_code,
      signal: why.timed_out || why.interrupted ? 'SIGKILL' : signal,
      ...why,
      ...reportOf('stdout', stdout),
      ...reportOf('stderr', stderr),
      truncated: stdout.truncated || stderr.truncated,
      duration_ms: Date.now() - started,
      started_at: new Date(started).toISOString(),
    };
  });
  const interrupt = (): void => {
    why.interrupted = true;
    killGroup(launched.pid);
  };
  return { done, interrupt };
}

/** The end of a process whose group is killed with it, its streams drained. */
export function ended({
  child,
  pid,
  stdout,
  stderr,
}: Launched): Promise<{ exit_code: number | null; signal: string | null }> {
  const { promise, resolve } = Promise.withResolvers<{ exit_code: number | null; signal: string | null }>();
  child.on('error', () => resolve({ exit_code: null, signal: null }));
  child.on('exit', (code, signal) => {
    killGroup(pid);
    const settle = (): void => {
      clearTimeout(late);
      stdout.destroy();
      stderr.destroy();
      resolve({ exit_code: code, signal });
    };
    const late = setTimeout(settle, DRAIN_MS);
    child.on('close', settle);
  });
  return promise;
}

function reportOf<Name extends 'stdout' | 'stderr'>(name: Name, output: BoundedOutput): StreamReport<Name>;
function reportOf(name: string, output: BoundedOutput): Record<string, string | number> {
  return { [name]: output.text(), [`${name}_sha256`]: output.sha256(), [`${name}_bytes`]: output.bytes };
}

type StreamReport<Name extends string> = Record<Name | `${Name}_sha256`, string> & Record<`${Name}_bytes`, number>;
