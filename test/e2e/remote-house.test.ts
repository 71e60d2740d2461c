// A house whose sandbox is an agent-server: a goal goes from the root by its domain to a leaf, is worked on and reviewed there, and nothing of it runs
// here. On our own server always, on the one that OpenHands publishes where it is given (HCA_TEST_OPENHANDS).
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { type SandboxServer, startSandboxServer } from '#local/sandbox-server.ts';
import { oneServer } from '#shared/adapters/open/openhands/one-server.ts';
import type { Trees } from '#shared/adapters/open/openhands/trees.ts';
import { OpenHandsSandbox } from '#shared/adapters/open/openhands-sandbox.ts';
import { Evidence } from '#shared/contracts/evidence.ts';
import type { AgentServer } from '#shared/ports/agent-servers.ts';
import { type Ended, openRealHouse, type RealHouse } from '#test/support/real-house.ts';
import { folder } from '../adapters/local/sandbox/folders.ts';
import { GIVEN } from '../adapters/open/given-server.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const BIOME = path.join(ROOT, 'node_modules/@biomejs/biome/bin/biome');
const KEY = 'a key of the remote house';

let house: RealHouse;
afterEach(() => house.close());

const own: SandboxServer[] = [];
afterAll(async () => {
  for (const server of own) await server.close();
});
const ownServer = async (): Promise<AgentServer> => {
  const server = await startSandboxServer({ folder: folder('server'), key: KEY, version: 'test', bubblewrap: false });
  own.push(server);
  return { url: server.url, key: KEY };
};

const opened = async (server: AgentServer, network: boolean): Promise<void> => {
  const sandbox = (trees: Trees) => new OpenHandsSandbox(oneServer(server), trees);
  house = await openRealHouse({ sandbox, network });
};

/** A copy of an example with a lock file; the package that it locks is in the folder, so that nobody is asked for it. */
const locked = (example: string): string => {
  const at = path.join(house.top, example);
  cpSync(path.join(ROOT, 'examples/workspaces', example), at, { recursive: true });
  const write = (file: string, content: object): void => {
    mkdirSync(path.dirname(path.join(at, file)), { recursive: true });
    writeFileSync(path.join(at, file), `${JSON.stringify(content, null, 2)}\n`);
  };
  const manifest = JSON.parse(readFileSync(path.join(at, 'package.json'), 'utf8'));
  const { name, version } = manifest;
  const devDependencies = { '@biomejs/biome': 'file:tools/biome' };
  const biome = { name: '@biomejs/biome', version: '0.0.1', bin: { biome: 'biome.sh' } };
  write('package.json', { ...manifest, devDependencies });
  write('tools/biome/package.json', biome);
  writeFileSync(path.join(at, 'tools/biome/biome.sh'), `#!/bin/sh\nexec ${BIOME} "$@"\n`, { mode: 0o755 });
  const packages = {
    '': { name, version, devDependencies },
    'node_modules/@biomejs/biome': { resolved: 'tools/biome', link: true },
    'tools/biome': { ...biome, dev: true },
  };
  write('package-lock.json', { name, version, lockfileVersion: 3, requires: true, packages });
  return at;
};

const evidenceOf = ({ journal }: Ended) => journal.flatMap(({ data }) => Evidence.safeParse(data?.evidence).data ?? []);

const given = GIVEN === undefined ? [] : [GIVEN];
const SERVERS = [
  { name: 'our own', at: ownServer },
  ...given.map((server) => ({ name: 'that of OpenHands', at: async () => server })),
];

describe.each(SERVERS)('on an agent-server ($name)', ({ at }) => {
  it('a goal is delegated, worked on, reviewed and accepted, with the dependencies that the lock file names', async () => {
    await opened(await at(), true);
    const root = locked('harbour-board');
    const ended = await house.run({ goal: 'make lint and tests pass', workspace: root });
    expect(ended.view).toMatchObject({ state: 'completed' });
    expect(ended.files.length).toBeGreaterThan(0);
    const evidence = evidenceOf(ended);
    expect(evidence.length).toBeGreaterThan(0);
    for (const { confinement } of evidence) {
      expect(confinement.kind).toBe('remote');
      expect(confinement.notes).toContain('dependencies were installed from package-lock.json with npm ci');
    }
  });

  it('a workspace that nothing was installed for goes up to the root, which says why and what to do', async () => {
    await opened(await at(), false);
    const ended = await house.run({ goal: 'make lint and tests pass', workspace: locked('harbour-board') });
    expect(ended.view).toMatchObject({ state: 'escalated' });
    expect(JSON.stringify(ended.view)).toContain('policy closes the network');
  });
});
