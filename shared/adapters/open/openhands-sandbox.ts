// The sandbox port on a remote OpenHands agent-server, over REST: sessions are folders there, commands and files go through its API
// (architecture 9 Sandbox). Nothing runs in this process, and nothing of a session is kept in it.
import { randomUUID } from 'node:crypto';
import { HcaFault } from '#shared/contracts/errors.ts';
import type { ChangeSet, TreeEntry, TreeId } from '#shared/contracts/workspace.ts';
import type { AgentServers } from '#shared/ports/agent-servers.ts';
import type {
  RunOutcome,
  RunRequest,
  Sandbox,
  SessionOpened,
  SessionProcess,
  SessionRequest,
} from '#shared/ports/sandbox.ts';
import {
  findScript,
  insidePath,
  lookScript,
  placeScript,
  refusedPath,
  removeScript,
} from './openhands/file-scripts.ts';
import { differenceOf } from './openhands/remote-difference.ts';
import { endSession, sweepServers } from './openhands/remote-ending.ts';
import { restoreRemote } from './openhands/remote-restore.ts';
import { askRemote, bytesOf, runRemote } from './openhands/remote-scripting.ts';
import { type RemoteSession, RemoteSessions } from './openhands/remote-sessions.ts';
import { type RemoteState, remoteState, storeState } from './openhands/remote-tree.ts';
import { type RemoteRun, readReport, runScript } from './openhands/run-script.ts';
import { isNetless } from './openhands/session-record.ts';
import { STOP, within } from './openhands/shell-words.ts';
import { fetchBytes, sendBytes } from './openhands/transfer.ts';
import type { Trees } from './openhands/trees.ts';

/** Between the command's own limit and the server's, which would tell less. */
const BACKSTOP_MS = 30_000;

export class OpenHandsSandbox implements Sandbox {
  readonly #sessions: RemoteSessions;
  readonly #servers: AgentServers;
  readonly #trees: Trees;

  constructor(servers: AgentServers, trees: Trees) {
    this.#sessions = new RemoteSessions(servers, trees);
    this.#servers = servers;
    this.#trees = trees;
  }

  async open(request: SessionRequest): Promise<SessionOpened> {
    if (!request.workspace.startsWith('/') || request.workspace === '/') {
      const message = `the workspace of a session is an absolute path below "/", not "${request.workspace}"`;
      throw new HcaFault('HcaBadInput', { message, field: 'workspace' });
    }
    const { record, confinement, fresh } = await this.#sessions.enter(request);
    if (record.base !== request.tree) {
      const message = `session ${request.id} is open on tree ${record.base}`;
      throw new HcaFault('HcaBadInput', { message, field: 'id', remedy: 'Close it, or use another session id.' });
    }
    const { opened: tree, dependencies } = record;
    return { tree, confinement, reentered: !fresh, dependencies };
  }

  async run(id: string, request: RunRequest): Promise<RunOutcome> {
    if (request.command.length === 0)
      throw new HcaFault('HcaBadInput', { message: 'the command is empty', field: 'command' });
    const cwd = insidePath(request.cwd ?? '.', 'cwd');
    return this.#sessions.using(id, async ({ place, record, confinement }) => {
      const started_at = new Date().toISOString();
      const name = randomUUID();
      const stdin = request.stdin === undefined ? null : place.folders.up(name);
      if (stdin !== null) await place.client.upload(stdin, bytesOf(request.stdin ?? ''));
      const { memory_bytes } = record;
      const run: RemoteRun = {
        session: place.folders.live,
        id: name,
        request,
        cwd,
        stdin,
        netless: isNetless(record),
        memory_bytes,
      };
      const answer = await runRemote(place, runScript(run), request.timeout_ms + BACKSTOP_MS);
      return { ...readReport(answer, run), started_at, confinement };
    });
  }

  /** The server's API has no pipes to a running process: it tells a command's output when it has ended. */
  async spawn(): Promise<SessionProcess> {
    throw new HcaFault('HcaRefused', {
      message:
        'an agent-server gives no pipes to a running process, so a foreign MCP server over stdio cannot run there',
      field: 'mcp',
      remedy: 'use the server over HTTP, or the embedded sandbox',
    });
  }

  async read(id: string, given: string): Promise<Uint8Array | null> {
    const path = insidePath(given);
    return this.#sessions.using(id, async ({ place }) => {
      const [word, size = '', where = ''] = (await askRemote(place, findScript(place.folders.live, path))).split('\n');
      if (word === 'out') throw refusedPath(path, 'path', 'a link leads out of the workspace');
      if (word === 'none') return null;
      return fetchBytes(place, `${place.folders.work}/${Buffer.from(where, 'base64').toString('utf8')}`, Number(size));
    });
  }

  async write(id: string, given: string, content: Uint8Array | string): Promise<void> {
    const path = insidePath(given);
    await this.#sessions.using(id, async ({ place }) => {
      const from = place.folders.up(randomUUID());
      await sendBytes(place, from, typeof content === 'string' ? bytesOf(content) : Uint8Array.from(content));
      const word = (await askRemote(place, placeScript(place.folders.live, path, from))).trim();
      if (word !== 'done') throw refusedPath(path, 'path', NOT_WRITTEN[word] ?? 'it cannot be written');
    });
  }

  async remove(id: string, given: string): Promise<boolean> {
    const path = insidePath(given);
    return this.#sessions.using(id, async ({ place }) => {
      const word = (await askRemote(place, removeScript(place.folders.live, path))).trim();
      if (word === 'out') throw refusedPath(path, 'path', 'a link leads out of the workspace');
      return word === 'yes';
    });
  }

  async list(id: string, given = ''): Promise<TreeEntry[]> {
    const path = given === '' || given === '.' ? '' : insidePath(given);
    return this.#sessions.using(id, async (session) => {
      if (path === '') return (await this.#state(session)).entries;
      const { place } = session;
      const word = (await askRemote(place, lookScript(place.folders.live, path))).trim();
      if (word === 'out') throw refusedPath(path, 'path', 'a link leads out of the workspace');
      const { entries } = await this.#state(session);
      return entries.filter((entry) => entry.path === path || entry.path.startsWith(`${path}/`));
    });
  }

  async snapshot(id: string): Promise<TreeId> {
    return this.#sessions.using(id, async (session) => storeState(session.place, await this.#state(session)));
  }

  async restore(id: string, tree: TreeId): Promise<void> {
    const wanted = await this.#trees.list(tree);
    await this.#sessions.using(id, async (session) => {
      await askRemote(session.place, within(session.place.folders.live, STOP));
      await restoreRemote(session.place, { tree, wanted, now: await this.#state(session) });
    });
  }

  async archive(id: string): Promise<ChangeSet> {
    return this.#sessions.using(id, async (session) => {
      const state = await this.#state(session);
      const now = await storeState(session.place, state);
      return differenceOf(this.#trees, session.record.base, { tree: now, entries: state.entries });
    });
  }

  async interrupt(id: string): Promise<void> {
    await ignoringAbsence(this.#sessions.using(id, ({ place }) => askRemote(place, within(place.folders.live, STOP))));
  }

  async close(id: string): Promise<void> {
    await ignoringAbsence(this.#sessions.using(id, ({ place }) => endSession(place)));
    await this.#sessions.release(id);
  }

  async sweep(alive: ReadonlySet<string>): Promise<string[]> {
    const ended = await sweepServers(await this.#servers.all(), alive);
    for (const id of ended) await this.#sessions.release(id);
    return ended;
  }

  async #state({ place, record, cache }: RemoteSession): Promise<RemoteState> {
    const trees = await Promise.all([...new Set([record.base, record.opened])].map((tree) => this.#trees.list(tree)));
    return remoteState(place, new Set(trees.flat().map(({ path }) => path)), cache);
  }
}

const NOT_WRITTEN: Readonly<Record<string, string>> = {
  out: 'a link leads out of the workspace',
  folder: 'it is a folder',
  blocked: 'a file stands where it needs a folder',
};

/** What is not there needs no ending. */
async function ignoringAbsence(work: Promise<unknown>): Promise<void> {
  await work.catch((error: unknown) => {
    if (!(error instanceof HcaFault) || error.code !== 'HcaNotFound') throw error;
  });
}
