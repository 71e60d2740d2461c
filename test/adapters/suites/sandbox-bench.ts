// What the sandbox suite needs of an adapter: a workspace, the sandbox, and the same sandbox as the next process sees it.
import type { FilesWorkspaces } from '#shared/adapters/local/files-workspaces.ts';
import type { RunOutcome, Sandbox, SessionRequest } from '#shared/ports/sandbox.ts';
import type { Layout } from '../local/sandbox/folders.ts';

export type SandboxBench = {
  root: string;
  workspaces: FilesWorkspaces;
  sandbox: Sandbox;
  /** Another process on the same place, with nothing in its memory. */
  next(): Sandbox;
  /** Opens a session on a fresh snapshot of the workspace; answers with its tree. */
  open(id: string, extra?: Partial<SessionRequest>): Promise<string>;
  run(
    id: string,
    command: string | string[],
    extra?: { cwd?: string; timeout_ms?: number; output_bytes?: number; stdin?: string; env?: Record<string, string> },
  ): Promise<RunOutcome>;
};

export type MakeSandboxBench = (layout: Layout) => SandboxBench | Promise<SandboxBench>;

/** `open` and `run` on any sandbox. */
export const opening = (
  place: Pick<SandboxBench, 'root' | 'workspaces' | 'sandbox'>,
): Pick<SandboxBench, 'open' | 'run'> => ({
  async open(id, extra = {}) {
    const { tree } = await place.workspaces.take(place.root);
    await place.sandbox.open({ id, tree, workspace: place.root, network: false, ...extra });
    return tree;
  },
  run: (id, command, extra = {}) =>
    place.sandbox.run(id, { command, timeout_ms: 20_000, output_bytes: 100_000, ...extra }),
});
