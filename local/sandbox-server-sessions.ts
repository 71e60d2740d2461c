// Sessions of the sandbox server. An agent-server knows files by absolute path only, so the first folder below its home names the session: each
// is a session of the embedded sandbox, apart from the others, and its path is the same inside and outside (a link where it is not mounted).
import { existsSync, lstatSync, mkdirSync, readdirSync, realpathSync, rmSync, statSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { ProcessSandbox } from '#shared/adapters/local/process-sandbox.ts';
import { resolveInside } from '#shared/adapters/local/sandbox/inside.ts';
import { sessionFolders } from '#shared/adapters/local/sandbox/session-record.ts';
import { TreeStore } from '#shared/adapters/local/sandbox/tree-store.ts';
import type { Confinement } from '#shared/contracts/evidence.ts';
import type { SessionProcess } from '#shared/ports/sandbox.ts';
import { Refused } from './sandbox-server-refusal.ts';

/** `folder`: where the server keeps everything. `network`: whether commands reach one. */
export interface SessionsOptions {
  folder: string;
  network: boolean;
  bubblewrap?: boolean;
}

/** A path of the API: the session and what follows, '' for its own folder. */
export interface ServedPath {
  session: string;
  relative: string;
}

/** The session of a request that names none. */
const SHARED = 'shared';

export class ServedSessions {
  /** What the API calls the home folder. */
  readonly home: string;
  readonly #sandbox: ProcessSandbox;
  readonly #sessions: string;
  readonly #tree: string;
  readonly #network: boolean;
  readonly #busy = new Map<string, number>();

  constructor({ folder, network, bubblewrap }: SessionsOptions) {
    for (const name of ['sessions', 'home']) mkdirSync(path.join(folder, name), { recursive: true, mode: 0o700 });
    this.home = realpathSync(path.join(folder, 'home'));
    this.#sessions = realpathSync(path.join(folder, 'sessions'));
    const trees = new TreeStore(path.join(folder, 'trees'));
    this.#tree = trees.put([]);
    this.#network = network;
    this.#sandbox = new ProcessSandbox(this.#sessions, { trees, ...(bubblewrap === undefined ? {} : { bubblewrap }) });
  }

  get kind(): 'bubblewrap' | 'process-group' {
    return this.#sandbox.kind;
  }

  /** What the API says of commands here. */
  about(): { kind: string; network: boolean; memory_limited: boolean; sessions_apart: boolean } {
    const confined = this.kind === 'bubblewrap';
    return {
      kind: this.kind,
      network: this.#network || !confined,
      memory_limited: process.platform === 'linux',
      sessions_apart: confined,
    };
  }

  /** @throws Refused for a path that is not absolute or not below the home */
  at(given: string | null): ServedPath {
    const full = given === null || given === '' ? path.join(this.home, SHARED) : path.posix.normalize(given);
    if (!path.isAbsolute(full)) throw new Refused(400, 'Path must be absolute');
    const [session = '', ...rest] = path.relative(this.home, full).split('/');
    if (full.includes('\0') || !/^[A-Za-z0-9_-][A-Za-z0-9_.-]{0,149}$/.test(session))
      throw new Refused(400, `the path is not below ${this.home}, where this server keeps its sessions`);
    return { session, relative: rest.filter((part) => part !== '').join('/') };
  }

  names(): string[] {
    return readdirSync(this.home);
  }

  /** Real place of a path on the host, every link followed inside the session; null when the session is not there. */
  place({ session, relative }: ServedPath): string | null {
    if (!this.#isThere(session)) return null;
    const root = sessionFolders(this.#sessions, session).work;
    return relative === '' ? root : resolveInside({ root, home: path.join(this.home, session) }, relative);
  }

  /** Does work in a session, which is made when it is not there; one that is left empty afterwards is ended. */
  async using<T>(session: string, work: (sandbox: ProcessSandbox) => Promise<T>): Promise<T> {
    this.#busy.set(session, (this.#busy.get(session) ?? 0) + 1);
    try {
      await this.#enter(session);
      return await work(this.#sandbox);
    } finally {
      const left = (this.#busy.get(session) ?? 1) - 1;
      this.#busy.set(session, left);
    }
  }

  /** Ends a session whose folder is empty: that is how a client that knows only files says that it has done. */
  async tidy(session: string): Promise<void> {
    const { work } = sessionFolders(this.#sessions, session);
    if ((this.#busy.get(session) ?? 0) > 0 || !existsSync(work) || readdirSync(work).length > 0) return;
    this.#busy.delete(session);
    rmSync(path.join(this.home, session), { force: true });
    await this.#sandbox.close(session);
  }

  /** Starts a program in a folder of a session. @throws Refused when the folder is not there */
  async spawn(
    at: ServedPath,
    command: readonly string[],
  ): Promise<{ process: SessionProcess; confinement: Confinement }> {
    const confinement = await this.#enter(at.session);
    const place = this.place(at);
    if (place === null || !existsSync(place) || !statSync(place).isDirectory())
      throw new Refused(422, `[Errno 2] No such file or directory: '${path.join(this.home, at.session, at.relative)}'`);
    const cwd = path.join(this.home, at.session, at.relative);
    const entering = ['/bin/sh', '-c', 'cd -- "$1" || exit 255; shift; exec "$@"', 'sh', cwd];
    return { process: await this.#sandbox.spawn(at.session, { command: [...entering, ...command] }), confinement };
  }

  /** Kills what runs; the sessions stay for the next start. */
  async close(): Promise<void> {
    for (const session of this.names()) await this.#sandbox.interrupt(session);
  }

  #isThere(session: string): boolean {
    return lstatSync(path.join(this.home, session), { throwIfNoEntry: false }) !== undefined;
  }

  async #enter(session: string): Promise<Confinement> {
    const workspace = path.join(this.home, session);
    const request = { id: session, tree: this.#tree, workspace, network: this.#network };
    const { confinement } = await this.#sandbox.open(request);
    if (!this.#isThere(session)) symlinkSync(sessionFolders(this.#sessions, session).work, workspace);
    return confinement;
  }
}
