// Runs commands in one session: what they see, what confines them, and what of that could not be done (evidence).
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { HcaFault } from '#shared/contracts/errors.ts';
import type { Confinement } from '#shared/contracts/evidence.ts';
import type { RunOutcome, RunRequest, SessionProcess } from '#shared/ports/sandbox.ts';
import { bubblewrapArguments, SESSION_HOME } from './bubblewrap.ts';
import { type HostTools, scrubbedEnvironment } from './host-environment.ts';
import { plainPath, resolveInside } from './inside.ts';
import { type Launch, launch } from './launch.ts';
import { ended, type RunningCommand, startCommand } from './run-command.ts';
import type { SessionFolders, SessionRecord } from './session-record.ts';
import { killGroup, killMarked, MARKS, type Mark } from './strays.ts';

export class SessionCommands {
  readonly #record: SessionRecord;
  readonly #folders: SessionFolders;
  readonly #tools: HostTools;
  readonly #mark: Mark;
  readonly #running = new Set<Pick<RunningCommand, 'interrupt'>>();

  constructor(record: SessionRecord, folders: SessionFolders, owner: { tools: HostTools; mark: Mark }) {
    this.#record = record;
    this.#folders = folders;
    this.#tools = owner.tools;
    this.#mark = owner.mark;
  }

  /** @throws HcaFault HcaBadInput (`cwd`), HcaSandbox */
  async run(request: RunRequest): Promise<RunOutcome> {
    const argv = typeof request.command === 'string' ? ['/bin/sh', '-c', request.command] : request.command;
    if (argv.length === 0) throw new HcaFault('HcaBadInput', { message: 'the command is empty', field: 'command' });
    const { stdin, timeout_ms, output_bytes } = request;
    const running = startCommand({ launch: this.#launch(argv, request), stdin, timeout_ms, output_bytes });
    this.#running.add(running);
    const outcome = await running.done;
    this.#running.delete(running);
    this.#checkConfined(outcome);
    return { ...outcome, confinement: this.confinement() };
  }

  spawn(request: { command: readonly string[]; env?: Readonly<Record<string, string>> }): SessionProcess {
    const launched = launch(this.#launch(request.command, request));
    const kill = (): void => killGroup(launched.pid);
    const running = { interrupt: kill };
    this.#running.add(running);
    const exited = ended(launched).finally(() => this.#running.delete(running));
    return {
      stdin: Writable.toWeb(launched.stdin),
      stdout: Readable.toWeb(launched.stdout),
      stderr: Readable.toWeb(launched.stderr),
      exited,
      kill,
    };
  }

  /** Kills everything that runs here, a process that left its group included. */
  interrupt(): void {
    for (const running of this.#running) running.interrupt();
    killMarked((mark) => mark.sandbox === this.#mark.sandbox && mark.session === this.#mark.session);
  }

  confinement(): Confinement {
    const { bubblewrap, network, memory_bytes, view } = this.#record;
    const limited = memory_bytes !== null && process.platform === 'linux';
    const memory = limited ? 'the memory limit holds for each process, not for their sum' : 'memory is not limited';
    const notes = [memory, ...(bubblewrap === null ? UNCONFINED : []), ...view.notes].slice(0, 40);
    const kind = bubblewrap === null ? 'process-group' : 'bubblewrap';
    return { kind, network: network || bubblewrap === null, memory_limited: limited, notes };
  }

  #launch(
    argv: readonly string[],
    { cwd = '.', env = {} }: { cwd?: string; env?: Readonly<Record<string, string>> },
  ): Launch {
    const { workspace, bubblewrap, memory_bytes } = this.#record;
    const { work, home, tmp } = this.#folders;
    this.#checkFolder(cwd);
    const top = bubblewrap === null ? work : workspace;
    const at = join(top, cwd);
    const inner = bubblewrap === null ? { home, tmp } : { home: SESSION_HOME, tmp: '/tmp' };
    const first = [join(at, 'node_modules/.bin'), join(top, 'node_modules/.bin'), ...environments(this.#record, top)];
    return {
      confine: bubblewrap === null ? null : [bubblewrap, ...this.#confine(at)],
      argv,
      cwd: at,
      env: { ...scrubbedEnvironment(this.#tools, { ...inner, first: [...new Set(first)] }), ...env, ...this.#marks() },
      memory_bytes,
    };
  }

  #confine(cwd: string): string[] {
    const { workspace, network, view, hoisted } = this.#record;
    const mounts = view.mounts.map(({ path, source }) => ({ source, at: join(workspace, path) }));
    const show = [...this.#tools.show, ...hoisted, ...view.outside];
    const { work, home, tmp } = this.#folders;
    return bubblewrapArguments({ workspace, work, home, tmp, mounts, show, cwd, network });
  }

  /** A sandbox that could not be set up says nothing about the command: it must never be read as a check that fails. */
  #checkConfined({ exit_code, stdout, stderr }: Omit<RunOutcome, 'confinement'>): void {
    if (this.#record.bubblewrap === null || exit_code !== 1 || stdout !== '' || !/^bwrap: [^\n]*\n?$/.test(stderr))
      return;
    throw new HcaFault('HcaSandbox', { message: `the sandbox cannot be set up: ${stderr.trim()}` });
  }

  #checkFolder(given: string): void {
    const cwd = plainPath(given);
    const place = { root: this.#folders.work, home: this.#record.workspace };
    const at = cwd === '.' ? place.root : resolveInside(place, cwd);
    if (existsSync(at) && statSync(at).isDirectory()) return;
    throw new HcaFault('HcaBadInput', { message: `there is no folder "${given}" in the session`, field: 'cwd' });
  }

  #marks(): Record<string, string> {
    const { sandbox, session, host } = this.#mark;
    return { [MARKS.sandbox]: sandbox, [MARKS.session]: session, [MARKS.host]: host };
  }
}

const UNCONFINED = [
  'bubblewrap is not available: commands run as an ordinary process group',
  'the file system is not confined: commands can read and write what the host user can',
  'the network is not confined',
  'links in dependency folders lead to the original, read-only by convention only',
];

/** `bin` of every virtual environment at the top of the workspace. */
function environments({ view }: SessionRecord, top: string): string[] {
  const found = view.mounts.filter(({ path, source }) => !path.includes('/') && existsSync(join(source, 'pyvenv.cfg')));
  return found.map(({ path }) => join(top, path, 'bin'));
}
