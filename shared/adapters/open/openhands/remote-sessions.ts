// Sessions on agent-servers: made whole or not at all, entered again by whoever asks for their id, closed with what they hold.
import { randomUUID } from 'node:crypto';
import { HcaFault } from '#shared/contracts/errors.ts';
import type { Confinement } from '#shared/contracts/evidence.ts';
import type { ChangeSet, TreeEntry } from '#shared/contracts/workspace.ts';
import { stateBytes } from '#shared/domain/change-set.ts';
import type { AgentServer, AgentServers } from '#shared/ports/agent-servers.ts';
import type { SessionRequest } from '#shared/ports/sandbox.ts';
import { makeReady } from './make-ready.ts';
import { askRemote, bytesOf, notOpen } from './remote-scripting.ts';
import { type HashCache, layRemote, type RemoteTree } from './remote-tree.ts';
import { AgentServerClient } from './server-client.ts';
import { confinementOf, loadRemote, type RemoteRecord, remoteFolders } from './session-record.ts';
import { quoted, STOP, within } from './shell-words.ts';
import type { Trees } from './trees.ts';

export type RemoteSession = { place: RemoteTree; record: RemoteRecord; confinement: Confinement; cache: HashCache };

type Entered = RemoteSession & { fresh: boolean };

export class RemoteSessions {
  readonly #servers: AgentServers;
  readonly #trees: Trees;
  /** What is here can be asked for again; it only saves requests. */
  readonly #known = new Map<string, Promise<RemoteSession>>();

  constructor(servers: AgentServers, trees: Trees) {
    this.#servers = servers;
    this.#trees = trees;
  }

  /** Enters the session or makes it. What runs in one that another process has left is ended. */
  async enter(request: SessionRequest): Promise<Entered> {
    const known = await this.#known.get(request.id)?.catch(() => undefined);
    const server = await this.#servers.claim(request);
    const place = await this.#placeOf(server, request);
    const left = await loadRemote(place.client, place.folders);
    if (known !== undefined && left !== null) return { ...known, fresh: false };
    if (left !== null) await askRemote(place, within(place.folders.live, STOP));
    const record = left ?? (await makeSession(place, request));
    const session = this.#remember(request.id, this.#sessionOf(place, record, server.network));
    return { ...(await session), fresh: left === null };
  }

  /** A session that is open, here or on its server. @throws HcaFault HcaNotFound */
  async get(id: string): Promise<RemoteSession> {
    return this.#known.get(id) ?? this.#remember(id, this.#find(id));
  }

  /** A session whose server does not answer may have another one the next time. */
  async using<T>(id: string, work: (session: RemoteSession) => Promise<T>): Promise<T> {
    try {
      return await work(await this.get(id));
    } catch (error) {
      if (error instanceof HcaFault && ['HcaUnavailable', 'HcaNotFound'].includes(error.code)) this.#known.delete(id);
      throw error;
    }
  }

  async release(id: string): Promise<void> {
    this.#known.delete(id);
    await this.#servers.release(id);
  }

  async #find(id: string): Promise<RemoteSession> {
    const server = await this.#servers.find(id);
    if (server === null) throw notOpen();
    const place = await this.#placeOf(server, { id, workspace: '/' });
    const record = await loadRemote(place.client, place.folders);
    if (record === null) throw notOpen();
    return this.#sessionOf({ ...place, workspace: record.workspace }, record, server.network);
  }

  #remember(id: string, session: Promise<RemoteSession>): Promise<RemoteSession> {
    this.#known.set(id, session);
    session.catch(() => this.#known.delete(id));
    return session;
  }

  async #placeOf(server: AgentServer, { id, workspace }: { id: string; workspace: string }): Promise<RemoteTree> {
    const client = new AgentServerClient(server);
    return { client, folders: remoteFolders(await client.home(), id), workspace, trees: this.#trees };
  }

  async #sessionOf(place: RemoteTree, record: RemoteRecord, egress: boolean | undefined): Promise<RemoteSession> {
    const about = await place.client.about();
    const confinement = confinementOf(record, { origin: place.client.origin, about, egress });
    return { place, record, confinement, cache: new Map() };
  }
}

/** Everything is laid in a folder beside, its record last, and renamed: of two that make it at once one wins and both enter the same. */
async function makeSession(place: RemoteTree, request: SessionRequest): Promise<RemoteRecord> {
  const { client, folders } = place;
  const { id, tree, workspace, changes, network, memory_bytes = null } = request;
  const base = await place.trees.list(tree);
  const { entries, read } = startOf(place.trees, { tree, base, changes });
  const opened = changes === undefined ? tree : await storeStart(place.trees, entries, changes);
  await client.createFolder(folders.top);
  const stage = `${folders.top}/new-${randomUUID()}`;
  const netless = (await askRemote(place, stageScript(folders.top, stage))).trim() === 'netless';
  await layRemote(place, `${stage}/work`, { entries, read });
  const dependencies = await makeReady(place, stage, { entries, network });
  const record: RemoteRecord = { id, base: tree, opened, workspace, network, memory_bytes, netless, dependencies };
  await client.upload(`${stage}/session.json`, bytesOf(JSON.stringify(record)));
  await askRemote(place, goLiveScript(folders.live, stage));
  const live = await loadRemote(client, folders);
  if (live === null)
    throw new HcaFault('HcaConflict', { message: `session ${id} was closed while it was opened`, field: 'id' });
  return live;
}

type Start = { tree: string; base: readonly TreeEntry[]; changes: ChangeSet | undefined };

/** What the session holds at first: the base with the changes. @throws HcaFault HcaBadInput when the changes have another base */
function startOf(trees: Trees, { tree, base, changes }: Start) {
  if (changes !== undefined && changes.base !== tree) {
    const message = `the changes are against tree ${changes.base}, not ${tree}`;
    throw new HcaFault('HcaBadInput', { message, field: 'changes' });
  }
  const changed = new Map((changes?.files ?? []).map(({ path, after }) => [path, after]));
  const added = (changes?.files ?? []).flatMap(({ path, after }): TreeEntry[] =>
    after === null ? [] : [{ path, mode: after.mode, sha256: after.sha256, bytes: stateBytes(after).length }],
  );
  const read = async ({ path, sha256 }: TreeEntry): Promise<Uint8Array> => {
    const after = changed.get(path);
    const bytes = after ? stateBytes(after) : await trees.read(tree, path);
    if (bytes !== null) return bytes;
    throw new HcaFault('HcaCorrupt', { message: `the content ${sha256} is missing from the snapshot store` });
  };
  return { entries: [...base.filter(({ path }) => !changed.has(path)), ...added], read };
}

async function storeStart(trees: Trees, entries: readonly TreeEntry[], changes: ChangeSet): Promise<string> {
  for (const { after } of changes.files) if (after !== null) await trees.putBlob(stateBytes(after));
  return trees.putTree(entries);
}

/** Also clears away what half-made sessions of long ago have left, and says whether a command can be started without a network. */
const stageScript = (top: string, stage: string): string => `cd ${quoted(top)} || exit 1
find . -maxdepth 1 \\( -name 'new-*' -o -name 'up-*' -o -name 'gone-*' \\) -mmin +60 -exec rm -rf {} +
mkdir -p ${['work', 'home', 'tmp', 'runs'].map((name) => quoted(`${stage}/${name}`)).join(' ')} || exit 1
if unshare -cn true 2>/dev/null; then echo netless; else echo open; fi
`;

const goLiveScript = (live: string, stage: string): string => `l=${quoted(live)} s=${quoted(stage)}
[ -e "$l" ] && [ ! -e "$l/session.json" ] && rm -rf -- "$l"
mv -T -- "$s" "$l" 2>/dev/null || rm -rf -- "$s"
`;
