// Commands of the sandbox server, as the bash part of an agent-server has them: started, asked after, their output in pieces with numbers.
import { randomUUID } from 'node:crypto';
import os from 'node:os';
import {
  type BashCommand,
  type BashEventPage,
  type BashOutput,
  type EventQuery,
  eventOf,
  hasEnded,
  type ServedCommand,
  searchEvents,
} from './sandbox-server-events.ts';
import type { ExecuteRequest } from './sandbox-server-query.ts';
import { Refused } from './sandbox-server-refusal.ts';
import type { ServedSessions } from './sandbox-server-sessions.ts';

/** Characters of one piece, as an agent-server cuts them. */
const PIECE = 1024 * 1024;

/** Output of one command beyond this is read and dropped; commands beyond this are forgotten, the oldest first. */
const MAX_PIECES = 64;
const MAX_COMMANDS = 500;

/** Seconds that git may take. */
const CAPTURE_S = 300;

/** Longest that a timer runs (s): 24 days. */
const MAX_S = 2_000_000;

export class ServedBash {
  readonly #sessions: ServedSessions;
  readonly #commands = new Map<string, ServedCommand>();

  constructor(sessions: ServedSessions) {
    this.#sessions = sessions;
  }

  start(request: ExecuteRequest): BashCommand {
    const event: BashCommand = {
      kind: 'BashCommand',
      id: randomUUID().replaceAll('-', ''),
      timestamp: new Date().toISOString(),
      command: request.command,
      cwd: request.cwd ?? null,
      timeout: request.timeout,
    };
    const outputs: BashOutput[] = [];
    const ended = this.#run(request, new Output(event.id, outputs));
    this.#forgetOld();
    this.#commands.set(event.id, { event, outputs, ended });
    return event;
  }

  /** Waits for the end; the last piece of output, as an agent-server answers. */
  async execute(request: ExecuteRequest): Promise<BashOutput> {
    const command = this.#commands.get(this.start(request).id);
    await command?.ended;
    const last = command?.outputs.at(-1);
    if (last === undefined) throw new Refused(500, 'the command left no output');
    return last;
  }

  /** All that a command of ours wrote, and its exit code; it is not kept. */
  async capture(cwd: string, command: string): Promise<{ exit_code: number; stdout: string }> {
    const outputs: BashOutput[] = [];
    await this.#run({ command, cwd, timeout: CAPTURE_S }, new Output('', outputs));
    const stdout = outputs.map((piece) => piece.stdout ?? '').join('');
    return { exit_code: outputs.at(-1)?.exit_code ?? -1, stdout };
  }

  search(query: EventQuery): BashEventPage {
    return searchEvents([...this.#commands.values()], query);
  }

  event(id: string): BashCommand | BashOutput {
    return eventOf([...this.#commands.values()], id);
  }

  clear(): number {
    const ended = [...this.#commands].filter(([, command]) => hasEnded(command));
    for (const [id] of ended) this.#commands.delete(id);
    return ended.reduce((sum, [, { outputs }]) => sum + outputs.length + 1, 0);
  }

  /** A command that cannot be started has ended with -1 and says why, like one over its time. */
  async #run({ command, cwd, timeout }: ExecuteRequest, output: Output): Promise<void> {
    try {
      const at = this.#sessions.at(cwd ?? null);
      const exit_code = await this.#sessions.using(at.session, async () => {
        const { process } = await this.#sessions.spawn(at, ['/bin/sh', '-c', command]);
        process.stdin.close().catch(() => undefined);
        const late = Promise.withResolvers<-1>();
        const timer = setTimeout(
          () => {
            late.resolve(-1);
            process.kill();
          },
          Math.min(Math.max(timeout, 0), MAX_S) * 1000,
        );
        const streams = [output.read('stdout', process.stdout), output.read('stderr', process.stderr)];
        const ended = process.exited.then(codeOf);
        const code = await Promise.race([late.promise, ended]);
        clearTimeout(timer);
        await Promise.all([ended, ...streams]);
        return code;
      });
      await this.#sessions.tidy(at.session);
      output.end(exit_code);
    } catch (error) {
      output.fail(`Error executing command: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  #forgetOld(): void {
    for (const [id, command] of this.#commands) {
      if (this.#commands.size < MAX_COMMANDS) return;
      if (hasEnded(command)) this.#commands.delete(id);
    }
  }
}

/** A program that a signal ended has the signal's number, below zero. */
const codeOf = ({ exit_code, signal }: { exit_code: number | null; signal: string | null }): number => {
  const numbers: Readonly<Record<string, number>> = os.constants.signals;
  return exit_code ?? -(numbers[signal ?? ''] ?? 255);
};

/** Cuts two streams into numbered pieces. */
class Output {
  readonly #command: string;
  readonly #pieces: BashOutput[];
  readonly #rest = { stdout: '', stderr: '' };

  constructor(command: string, pieces: BashOutput[]) {
    this.#command = command;
    this.#pieces = pieces;
  }

  async read(name: 'stdout' | 'stderr', stream: ReadableStream<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder();
    try {
      for await (const chunk of stream) this.#take(name, decoder.decode(chunk, { stream: true }));
    } catch {
      // A stray held the pipe open after the command had ended; what was written is here.
    }
    this.#take(name, decoder.decode());
  }

  end(exit_code: number): void {
    this.#add({ exit_code, stdout: this.#rest.stdout || null, stderr: this.#rest.stderr || null });
  }

  fail(stderr: string): void {
    this.#add({ exit_code: -1, stdout: null, stderr });
  }

  #take(name: 'stdout' | 'stderr', text: string): void {
    this.#rest[name] += text;
    while (this.#rest[name].length > PIECE) {
      const piece = this.#rest[name].slice(0, PIECE);
      this.#rest[name] = this.#rest[name].slice(PIECE);
      if (this.#pieces.length < MAX_PIECES) this.#add({ exit_code: null, stdout: null, stderr: null, [name]: piece });
    }
  }

  #add(piece: Pick<BashOutput, 'exit_code' | 'stdout' | 'stderr'>): void {
    const [id, timestamp] = [randomUUID().replaceAll('-', ''), new Date().toISOString()];
    this.#pieces.push({
      kind: 'BashOutput',
      id,
      timestamp,
      command_id: this.#command,
      order: this.#pieces.length,
      ...piece,
    });
  }
}
