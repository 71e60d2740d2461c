// A door on a house in memory whose tools do nothing: asked as a client would, frame by frame.
import { type DoorPorts, dispatch } from '#functions/acp/step.ts';
import { createRuntime, type Runtime } from '#local/runtime.ts';
import type { MethodName, ParamsIn, ResultOf } from '#shared/contracts/acp.ts';
import type { Principal } from '#shared/contracts/acp-host.ts';
import { HcaFault } from '#shared/contracts/errors.ts';
import type { HarnessPackage } from '#shared/contracts/profile.ts';
import type { Snapshot } from '#shared/contracts/workspace.ts';
import type { Sandbox } from '#shared/ports/sandbox.ts';
import type { WorkspaceStore, Workspaces } from '#shared/ports/workspaces.ts';
import { noOpHarness, noOpHolarchy, noOpOutside } from './no-op-house.ts';

export const OWNER: Principal = { tenant: 'local', subject: 'owner', scopes: ['read', 'submit', 'approve', 'admin'] };

export interface TestDoor {
  house: Runtime;
  door: DoorPorts;
  stopped: () => boolean;
  /** The result, or throws the error frame as an object. */
  ask<M extends MethodName>(method: M, params: ParamsIn<M>, principal?: Principal): Promise<ResultOf<M>>;
  close(): Promise<void>;
}

const never = () => Promise.reject(new Error('not asked here'));

const snapshot = (root: string, tree: string): Snapshot => ({
  tree,
  root,
  files: 1,
  bytes: 1,
  skipped: [],
  skipped_count: 2,
});

/** `tree` is what a snapshot of any folder gives; folders whose name holds "missing" are not there. */
export const testDoor = async (
  options: {
    started?: boolean;
    workspaces?: Partial<Workspaces>;
    sandbox?: Partial<Sandbox>;
    read?: () => string;
    folder?: string;
    packages?: HarnessPackage[];
    store?: Partial<WorkspaceStore>;
  } = {},
): Promise<TestDoor> => {
  const outside = noOpOutside(options.read ?? (() => 'done'), options.packages ?? [noOpHarness]);
  const workspaces: Workspaces = {
    ...outside.workspaces,
    take: async (folder) => {
      if (!folder.includes('missing')) return snapshot(folder, 'a'.repeat(64));
      throw new HcaFault('HcaBadInput', {
        message: `${folder} does not exist`,
        field: 'workspace',
        remedy: 'give a folder',
      });
    },
    ...options.workspaces,
  };
  const sandbox: Sandbox = { ...outside.sandbox, ...options.sandbox };
  const house = createRuntime({
    folder: options.folder ?? ':memory:',
    outside: () => ({ ...outside, workspaces, sandbox }),
  });
  await house.ports.holons.load(OWNER.tenant, noOpHolarchy);
  if (options.started !== false) house.start();
  let isStopped = false;
  const door: DoorPorts = {
    ports: house.ports,
    preview: async (_tenant, asked) => ({
      ok: true,
      reason: '',
      family: 'turn',
      clauses: [asked.goal],
      uncovered: [],
      criteria: asked.criteria,
      route: ['root'],
      alternatives: [],
      estimate: null,
    }),
    store: { missing: async () => [], putBlob: never, uploads: async () => [], putTree: never, ...options.store },
    host: {
      identity: { version: '9.9.9', spec: '0.1.0', host: 'test', instance: 'one', pid: 1, home: '/home/of/hca' },
      home: '/home/of/hca',
      dead: { list: async () => [], redrive: async () => 0 },
      health: async () => [],
      gc: async () => ({ tasks: 0, artifacts: 0, sessions: 0, conversations: 0, bytes: 0 }),
      stop: () => {
        isStopped = true;
      },
    },
  };
  return {
    house,
    door,
    stopped: () => isStopped,
    ask: async (method, params, principal = OWNER) => {
      const answer = await dispatch({ jsonrpc: '2.0', id: 1, method, params }, principal, door);
      if ('error' in answer) throw answer.error;
      return answer.result as never;
    },
    close: () => house.close(),
  };
};
