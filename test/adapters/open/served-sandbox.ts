// The remote sandbox on our own sandbox server, over HTTP on the loopback interface, as a cloud host would use it.
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { type SandboxServer, startSandboxServer } from '#local/sandbox-server.ts';
import { FilesWorkspaces } from '#shared/adapters/local/files-workspaces.ts';
import { oneServer } from '#shared/adapters/open/openhands/one-server.ts';
import { OpenHandsSandbox } from '#shared/adapters/open/openhands-sandbox.ts';
import { folder, type Layout, layOut } from '../local/sandbox/folders.ts';
import { opening, type SandboxBench } from '../suites/sandbox-bench.ts';

export const KEY = 'a key of the sandbox tests';

/** A server of its own; `again` starts it anew on the same folder and port, as after a crash of it. */
export type Served = SandboxBench & { server: SandboxServer; folder: string; again(): Promise<SandboxServer> };

export async function served(bubblewrap: boolean, layout: Layout): Promise<Served> {
  const [home, root] = [folder('served'), layOut(folder('ws'), layout)];
  const workspaces = new FilesWorkspaces(join(home, 'snapshots'));
  const options = { folder: join(home, 'server'), key: KEY, version: 'test', bubblewrap };
  const server = await started(options);
  const next = () => new OpenHandsSandbox(oneServer({ url: server.url, key: KEY }), workspaces);
  const place = { root, workspaces, sandbox: next() };
  const again = () => started({ ...options, port: server.port });
  return { ...place, ...opening(place), next, server, folder: options.folder, again };
}

async function started(options: Parameters<typeof startSandboxServer>[0]): Promise<SandboxServer> {
  const server = await startSandboxServer(options);
  open.push(server);
  return server;
}

const open: SandboxServer[] = [];
afterAll(async () => {
  for (const server of open.splice(0)) await server.close();
});
