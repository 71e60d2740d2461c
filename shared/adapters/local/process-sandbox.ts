// The sandbox port in the embedded host: one folder and one confined process tree per session (architecture 9 Sandbox).
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, renameSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { HcaFault } from '#shared/contracts/errors.ts';
import type { ChangeSet, TreeEntry, TreeId } from '#shared/contracts/workspace.ts';
import type {
  RunOutcome,
  RunRequest,
  Sandbox,
  SessionOpened,
  SessionProcess,
  SessionRequest,
} from '#shared/ports/sandbox.ts';
import { findBubblewrap } from './sandbox/bubblewrap.ts';
import { describeSession } from './sandbox/describe-session.ts';
import { type HostTools, hostTools } from './sandbox/host-environment.ts';
import { SessionCommands } from './sandbox/session-commands.ts';
import { SessionFiles } from './sandbox/session-files.ts';
import {
  loadRecord,
  type SessionFolders,
  type SessionRecord,
  saveRecord,
  sessionFolders,
} from './sandbox/session-record.ts';
import { killMarked } from './sandbox/strays.ts';
import type { TreeStore } from './sandbox/tree-store.ts';
import { Turns } from './sandbox/turns.ts';

/**
 * `bubblewrap: false` uses plain process groups; `memory_bytes` holds where a request names no limit; `show` lists
 * folders of the host that commands may read besides those of the tools on its PATH.
 */
export type ProcessSandboxOptions = {
  trees: TreeStore;
  bubblewrap?: boolean;
  memory_bytes?: number;
  show?: readonly string[];
};

type Session = { record: SessionRecord; folders: SessionFolders; files: SessionFiles; commands: SessionCommands };

/** 4 GiB: a type check or a test run of a large project fits, a runaway does not take the machine. */
const MEMORY_BYTES = 4 * 1024 ** 3;

export class ProcessSandbox implements Sandbox {
  readonly #root: string;
  readonly #options: ProcessSandboxOptions;
  readonly #tools: HostTools;
  readonly #bubblewrap: string | null;
  readonly #host = randomUUID();
  readonly #turns = new Turns(availableParallelism());
  readonly #sessions = new Map<string, Promise<Session>>();

  /** `root` is a folder of hca's own home, never inside a workspace. Probes bubblewrap once. */
  constructor(root: string, options: ProcessSandboxOptions) {
    this.#root = root;
    this.#options = options;
    this.#tools = hostTools(options.show);
    this.#bubblewrap = options.bubblewrap === false ? null : findBubblewrap(this.#tools.path);
    mkdirSync(root, { recursive: true });
  }

  /** What confines commands here. */
  get kind(): 'bubblewrap' | 'process-group' {
    return this.#bubblewrap === null ? 'process-group' : 'bubblewrap';
  }

  async open(request: SessionRequest): Promise<SessionOpened> {
    const fresh = !existsSync(join(sessionFolders(this.#root, request.id).top, 'session.json'));
    const opening = this.#sessions.get(request.id) ?? this.#enter(request);
    this.#sessions.set(request.id, opening);
    const { record, commands } = await opening.catch((error: unknown) => {
      this.#sessions.delete(request.id);
      throw error;
    });
    if (record.base !== request.tree) {
      const message = `session ${request.id} is open on tree ${record.base}`;
      throw new HcaFault('HcaBadInput', { message, field: 'id', remedy: 'Close it, or use another session id.' });
    }
    return { tree: record.opened, confinement: commands.confinement(), reentered: !fresh };
  }

  async run(id: string, request: RunRequest): Promise<RunOutcome> {
    return this.#turns.take(async () => (await this.#session(id)).commands.run(request));
  }

  async spawn(
    id: string,
    request: { command: readonly string[]; env?: Readonly<Record<string, string>> },
  ): Promise<SessionProcess> {
    return (await this.#session(id)).commands.spawn(request);
  }

  async read(id: string, path: string): Promise<Uint8Array | null> {
    return (await this.#session(id)).files.read(path);
  }

  async write(id: string, path: string, content: Uint8Array | string): Promise<void> {
    (await this.#session(id)).files.write(path, content);
  }

  async remove(id: string, path: string): Promise<boolean> {
    return (await this.#session(id)).files.remove(path);
  }

  async list(id: string, path = ''): Promise<TreeEntry[]> {
    return (await this.#session(id)).files.list(path);
  }

  async snapshot(id: string): Promise<TreeId> {
    return (await this.#session(id)).files.snapshot();
  }

  async restore(id: string, tree: TreeId): Promise<void> {
    const session = await this.#session(id);
    session.commands.interrupt();
    await session.files.restore(tree);
  }

  async archive(id: string): Promise<ChangeSet> {
    const { record, files } = await this.#session(id);
    return this.#options.trees.difference(record.base, await files.snapshot());
  }

  async interrupt(id: string): Promise<void> {
    const session = await this.#sessions.get(id)?.catch(() => undefined);
    session?.commands.interrupt();
  }

  async close(id: string): Promise<void> {
    const session = await this.#sessions.get(id)?.catch(() => undefined);
    this.#sessions.delete(id);
    session?.commands.interrupt();
    this.#kill(id);
    await this.#delete(sessionFolders(this.#root, id).top);
  }

  async sweep(alive: ReadonlySet<string>): Promise<string[]> {
    killMarked((mark) => mark.sandbox === this.#root && (mark.host !== this.#host || !alive.has(mark.session)));
    const keep = new Set([...alive].map((id) => sessionFolders(this.#root, id).top));
    const tops = readdirSync(this.#root).map((name) => join(this.#root, name));
    const over = tops.filter((top) => !keep.has(top));
    const ids = over.map((top) => recordAt(top)?.id ?? null);
    for (const id of ids) if (id !== null) this.#sessions.delete(id);
    for (const top of over) await this.#delete(top);
    return ids.filter((id) => id !== null);
  }

  async #session(id: string): Promise<Session> {
    const session = this.#sessions.get(id);
    if (session !== undefined) return session;
    throw new HcaFault('HcaNotFound', { message: `there is no open session ${id}`, field: 'id' });
  }

  /** A left-over of an earlier host is entered as it is, its processes ended; a half-made one is made anew. */
  async #enter(request: SessionRequest): Promise<Session> {
    const folders = sessionFolders(this.#root, request.id);
    this.#kill(request.id);
    const left = loadRecord(folders);
    if (left !== null) return this.#assemble(left, folders);
    await this.#delete(folders.top);
    const session = this.#assemble(this.#describe(request), folders);
    for (const folder of [folders.home, folders.tmp]) mkdirSync(folder, { recursive: true });
    await session.files.make();
    saveRecord(folders, session.record);
    return session;
  }

  #describe(request: SessionRequest): SessionRecord {
    const memory_bytes = request.memory_bytes ?? this.#options.memory_bytes ?? MEMORY_BYTES;
    return describeSession({ ...request, memory_bytes }, this.#bubblewrap, this.#options.trees);
  }

  #assemble(record: SessionRecord, folders: SessionFolders): Session {
    const mark = { sandbox: this.#root, session: record.id, host: this.#host };
    const commands = new SessionCommands(record, folders, { tools: this.#tools, mark });
    return { record, folders, commands, files: new SessionFiles(record, folders, this.#options.trees) };
  }

  #kill(id: string): void {
    killMarked((mark) => mark.sandbox === this.#root && mark.session === id);
  }

  /** Renamed first: a session that is half deleted when the host dies is no session any more, and the sweep gets the rest. */
  async #delete(top: string): Promise<void> {
    if (!existsSync(top)) return;
    const trash = join(this.#root, `.trash-${randomUUID()}`);
    renameSync(top, trash);
    await rm(trash, { recursive: true, force: true });
  }
}

function recordAt(top: string): SessionRecord | null {
  return loadRecord({ top, work: '', home: '', tmp: '' });
}
