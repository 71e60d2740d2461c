// The two embedded sandboxes, each with a workspace to open sessions on.
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { FilesWorkspaces } from '#shared/adapters/local/files-workspaces.ts';
import { ProcessSandbox } from '#shared/adapters/local/process-sandbox.ts';
import { findBubblewrap } from '#shared/adapters/local/sandbox/bubblewrap.ts';
import { hostTools } from '#shared/adapters/local/sandbox/host-environment.ts';
import type { RunOutcome, SessionRequest } from '#shared/ports/sandbox.ts';
import { folder, type Layout, layOut } from './folders.ts';

/** Both kinds where bubblewrap works, else the fallback alone. */
export const KINDS = [...(findBubblewrap(hostTools().path) === null ? [] : [true]), false].map((bubblewrap) => ({
  name: bubblewrap ? 'bubblewrap' : 'process group',
  bubblewrap,
}));

export type Bench = {
  home: string;
  root: string;
  workspaces: FilesWorkspaces;
  sandbox: ProcessSandbox;
  /** Opens a session on a fresh snapshot of the workspace. */
  open(id: string, extra?: Partial<SessionRequest>): Promise<string>;
  run(
    id: string,
    command: string | string[],
    extra?: { cwd?: string; timeout_ms?: number; output_bytes?: number },
  ): Promise<RunOutcome>;
};

export function bench(bubblewrap: boolean, layout: Layout): Bench {
  const [home, root] = [folder('home'), layOut(folder('ws'), layout)];
  const workspaces = new FilesWorkspaces(join(home, 'snapshots'));
  const sandbox = new ProcessSandbox(join(home, 'sessions'), { trees: workspaces.trees, bubblewrap });
  opened.push(sandbox);
  return {
    home,
    root,
    workspaces,
    sandbox,
    async open(id, extra = {}) {
      const { tree } = await workspaces.take(root);
      await sandbox.open({ id, tree, workspace: root, network: false, ...extra });
      return tree;
    },
    run: (id, command, extra = {}) => sandbox.run(id, { command, timeout_ms: 20_000, output_bytes: 100_000, ...extra }),
  };
}

const opened: ProcessSandbox[] = [];
afterAll(async () => {
  for (const sandbox of opened.splice(0)) await sandbox.sweep(new Set());
});
