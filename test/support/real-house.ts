// The house as a person runs it, with its real sandbox and tools in a home of its own, asked through the northbound door.
import { createHash } from 'node:crypto';
import { lstatSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { dispatch } from '#functions/acp/step.ts';
import { preview } from '#functions/plan/preview.ts';
import { localDoor, TENANT } from '#local/door.ts';
import { openHouse, readHolarchy } from '#local/open-house.ts';
import { createRuntime } from '#local/runtime.ts';
import { filesProfiles } from '#shared/adapters/local/files-profiles.ts';
import { FilesWorkspaces } from '#shared/adapters/local/files-workspaces.ts';
import { homeProfiles } from '#shared/adapters/local/home-profiles.ts';
import { ProcessSandbox } from '#shared/adapters/local/process-sandbox.ts';
import { McpTools } from '#shared/adapters/open/mcp-tools.ts';
import type { MethodName, ParamsIn, ResultOf } from '#shared/contracts/acp.ts';
import type { TaskView } from '#shared/contracts/acp-task.ts';
import type { ArtifactRef } from '#shared/contracts/artifact.ts';
import type { Entry } from '#shared/contracts/journal.ts';
import type { HarnessPackage } from '#shared/contracts/profile.ts';
import { ChangeSet } from '#shared/contracts/workspace.ts';
import type { Ports } from '#shared/ports/index.ts';
import type { Sandbox } from '#shared/ports/sandbox.ts';

/** How a goal ended: the root's view, the whole journal below it, and the change as a patch. */
export interface Ended {
  view: TaskView;
  journal: Entry[];
  files: string[];
  patch: string;
  changes: ChangeSet | null;
}

export interface RealHouse {
  top: string;
  ports: Ports;
  ask<M extends MethodName>(method: M, params: ParamsIn<M>): Promise<ResultOf<M>>;
  /** Submits a goal and waits for its end. */
  run(asked: Omit<ParamsIn<'_hca/task/submit'>, 'id'>): Promise<Ended>;
  close(): Promise<void>;
}

/** What a test may change about the house: the sandbox or its confinement, what the developers' harness holds, and what the policy allows besides. */
export interface Changed {
  bubblewrap?: boolean;
  sandbox?: (workspaces: FilesWorkspaces) => Sandbox;
  network?: boolean;
  harness?: (own: HarnessPackage) => HarnessPackage;
}

/** Opens a house in a new folder, as `hca up` does unless something is to be different. */
export const openRealHouse = async (changed?: Changed): Promise<RealHouse> => {
  const top = mkdtempSync(path.join(os.tmpdir(), 'hca-house-'));
  const home = path.join(top, 'home');
  const house = changed === undefined ? await openHouse({ home }) : await openChanged(home, changed);
  const identity = { version: '0.0.0', spec: '0.1.0', host: 'embedded', instance: 'test', pid: process.pid, home };
  const { door, principal } = localDoor(house, { identity, health: async () => [], stop: () => undefined });
  const ask: RealHouse['ask'] = async (method, params) => {
    const answer = await dispatch({ jsonrpc: '2.0', id: 1, method, params }, principal, door);
    if ('error' in answer) throw Object.assign(new Error(answer.error.message), { data: answer.error.data });
    return answer.result as never;
  };
  const over = (task: string): Promise<void> =>
    new Promise((resolve) => {
      const look = async (): Promise<void> => {
        const { state } = await ask('_hca/task/get', { task });
        if (!ENDS.has(state)) return;
        stop();
        resolve();
      };
      const stop = house.follow((entry) => {
        if (entry.record === task) look().catch(() => undefined);
      });
      look().catch(() => undefined);
    });
  return {
    top,
    ports: house.ports,
    ask,
    run: async (asked) => {
      const { task } = await ask('_hca/task/submit', asked);
      await over(task);
      const view = await ask('_hca/task/get', { task });
      const { patch, files } = await ask('_hca/task/diff', { task });
      const changes = view.artifact === null ? null : await changesOf(house.ports, view.artifact);
      return { view, journal: await journalOf(ask, task), patch, files: files.map((file) => file.path), changes };
    },
    close: async () => {
      await house.close();
      rmSync(top, { recursive: true, force: true });
    },
  };
};

/** The same parts put together by hand. */
const openChanged = async (home: string, changed: Changed) => {
  const { bubblewrap = true, harness = (own) => own, network = false } = changed;
  const workspaces = new FilesWorkspaces(path.join(home, 'workspaces'));
  workspaces.trees.put([]);
  const sandbox =
    changed.sandbox?.(workspaces) ??
    new ProcessSandbox(path.join(home, 'sessions'), { trees: workspaces.trees, bubblewrap });
  const own = filesProfiles(path.join(ROOT, 'harnesses'));
  const all = async () => (await own.all()).map((one) => (one.name === 'code-fix' ? harness(one) : one));
  const profiles = homeProfiles({ all }, path.join(home, 'harnesses'));
  const outside = { workspaces, sandbox, profiles, tools: new McpTools(sandbox) };
  const runtime = createRuntime({ folder: home, outside: () => outside });
  const holarchy = readHolarchy(path.join(ROOT, 'hca.config.yaml'));
  const open = { side_effects: 'external_write', network: { access: 'allow', hosts: ['**'] } };
  if (network) Object.assign(holarchy.policy, open);
  await runtime.storage.holons.seed(TENANT, holarchy);
  runtime.start();
  return {
    ports: runtime.ports,
    dead: { list: () => [], redrive: () => 0 },
    store: workspaces,
    secrets: { read: () => Promise.reject(new Error('not asked here')) },
    preview: (tenant: string, asked: Parameters<typeof preview>[1]) => preview(tenant, asked, runtime.ports),
    follow: runtime.follow,
    gc: () => Promise.reject(new Error('not asked here')),
    close: () => runtime.close(),
  };
};

const ROOT = path.resolve(import.meta.dirname, '../..');

const ENDS = new Set(['completed', 'escalated', 'rejected', 'cancelled']);

const changesOf = async ({ artifacts }: Ports, { id, version }: ArtifactRef): Promise<ChangeSet> =>
  ChangeSet.parse(JSON.parse(new TextDecoder().decode(await artifacts.bytes(TENANT, id, version))));

const journalOf = async (ask: RealHouse['ask'], task: string): Promise<Entry[]> => {
  const entries: Entry[] = [];
  let cursor: string | undefined;
  for (;;) {
    const slice = await ask('_hca/task/journal', { task, ...(cursor === undefined ? {} : { cursor }) });
    entries.push(...slice.entries);
    if (slice.entries.length === 0) return entries;
    cursor = slice.cursor;
  }
};

/** How many attempts the holon made whose work was taken. */
export const attemptsIn = (journal: readonly Entry[]): number =>
  Math.max(0, ...journal.map((entry) => Number(/^attempt (\d+):/.exec(entry.text)?.[1] ?? 0)));

/** Everything in a folder with mode, content hash and time of change; a link is named, not followed. */
export const fingerprint = (folder: string, below = ''): Record<string, string> => {
  const found: Record<string, string> = {};
  for (const entry of readdirSync(path.join(folder, below), { withFileTypes: true })) {
    const file = path.join(below, entry.name);
    found[file] = markOf(path.join(folder, file));
    if (entry.isDirectory()) Object.assign(found, fingerprint(folder, file));
  }
  return found;
};

const markOf = (at: string): string => {
  const stat = lstatSync(at);
  const hash = createHash('sha256');
  if (stat.isSymbolicLink()) hash.update(readlinkSync(at));
  if (stat.isFile()) hash.update(readFileSync(at));
  return `${stat.mode.toString(8)} ${stat.mtimeMs} ${hash.digest('hex')}`;
};
