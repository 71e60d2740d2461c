// An agent-server that somebody else started, for tests that are to meet the real one: HCA_TEST_OPENHANDS is its address,
// HCA_TEST_OPENHANDS_KEY its key (docs/how-to/sandbox.md). It has to be one that nobody works on: what is on it is ended.
import { join } from 'node:path';
import { FilesWorkspaces } from '#shared/adapters/local/files-workspaces.ts';
import { oneServer } from '#shared/adapters/open/openhands/one-server.ts';
import { OpenHandsSandbox } from '#shared/adapters/open/openhands-sandbox.ts';
import type { AgentServer } from '#shared/ports/agent-servers.ts';
import { folder, type Layout, layOut } from '../local/sandbox/folders.ts';
import { opening, type SandboxBench } from '../suites/sandbox-bench.ts';

/** Undefined where none is given: tests that need it do not run, and say so by their name. */
export const GIVEN: AgentServer | undefined =
  process.env.HCA_TEST_OPENHANDS === undefined
    ? undefined
    : { url: process.env.HCA_TEST_OPENHANDS, key: process.env.HCA_TEST_OPENHANDS_KEY ?? '' };

/** Each bench begins on an empty server. */
export async function onGiven(server: AgentServer, layout: Layout): Promise<SandboxBench> {
  const [home, root] = [folder('given'), layOut(folder('ws'), layout)];
  const workspaces = new FilesWorkspaces(join(home, 'snapshots'));
  const next = () => new OpenHandsSandbox(oneServer(server), workspaces);
  const place = { root, workspaces, sandbox: next() };
  await place.sandbox.sweep(new Set());
  return { ...place, ...opening(place), next };
}
