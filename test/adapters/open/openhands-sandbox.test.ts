// The sandbox port on an agent-server over REST means what it means here.
import { createHash, randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { KINDS } from '../local/sandbox/sandboxes.ts';
import { sandboxSuite } from '../suites/sandbox.ts';
import { sandboxCommandsSuite } from '../suites/sandbox-commands.ts';
import { sandboxFilesSuite } from '../suites/sandbox-files.ts';
import { served } from './served-sandbox.ts';

for (const { name, bubblewrap } of KINDS) {
  sandboxSuite(`agent-server, ${name}`, (layout) => served(bubblewrap, layout));
  sandboxFilesSuite(`agent-server, ${name}`, (layout) => served(bubblewrap, layout));
  sandboxCommandsSuite(`agent-server, ${name}`, (layout) => served(bubblewrap, layout));
}

describe('the end of a session', () => {
  it.each(KINDS)('leaves nothing on the server ($name)', async ({ bubblewrap }) => {
    const { open, sandbox, server, folder } = await served(bubblewrap, { 'a.txt': 'a' });
    await open('s1');
    await open('s2');
    await sandbox.close('s1');
    expect(readdirSync(server.home)).toEqual(['hca-s2']);
    await sandbox.close('s2');
    expect(readdirSync(server.home)).toEqual([]);
    expect(readdirSync(join(folder, 'sessions'))).toEqual([]);
  });
});

describe('files that are larger than what passes through a gateway at once', () => {
  it('are laid, read, written and stored whole', async () => {
    const large = randomBytes(8_200_000);
    const sha256 = (bytes: Uint8Array | null) =>
      createHash('sha256')
        .update(bytes ?? '')
        .digest('hex');
    const { open, run, sandbox, workspaces } = await served(false, { 'large.bin': large });
    await open('s1');
    expect((await run('s1', 'sha256sum <large.bin')).stdout).toBe(`${sha256(large)}  -\n`);
    expect(sha256(await sandbox.read('s1', 'large.bin'))).toBe(sha256(large));
    await run('s1', 'head -c 8100000 large.bin >cut.bin');
    const other = randomBytes(8_000_001);
    await sandbox.write('s1', 'other.bin', other);
    const tree = await sandbox.snapshot('s1');
    expect(sha256(await workspaces.read(tree, 'cut.bin'))).toBe(sha256(large.subarray(0, 8_100_000)));
    expect(sha256(await workspaces.read(tree, 'other.bin'))).toBe(sha256(other));
  });
});

describe('dependencies that a lock file names', () => {
  const manifest = (dependencies: object) => JSON.stringify({ name: 'w', version: '1.0.0', dependencies });
  const packages = { '': { name: 'w', version: '1.0.0', dependencies: { own: 'file:own' } } };
  const installed = {
    ...packages,
    'node_modules/own': { resolved: 'own', link: true },
    own: { version: '1.0.0', bin: { own: 'own.sh' } },
  };
  const lock = (all: object) => JSON.stringify({ name: 'w', version: '1.0.0', lockfileVersion: 3, packages: all });
  const layout = {
    'package.json': manifest({ own: 'file:own' }),
    'package-lock.json': lock(installed),
    'own/package.json': JSON.stringify({ name: 'own', version: '1.0.0', bin: { own: 'own.sh' } }),
    'own/own.sh': { exec: '#!/bin/sh\necho own\n' },
  };

  it('are installed where the policy opens the network, and are no change', async () => {
    const { open, run, sandbox } = await served(false, layout);
    await open('s1', { network: true });
    const ran = await run('s1', 'own');
    expect(ran.stdout).toBe('own\n');
    expect(ran.confinement.notes).toContain('dependencies were installed from package-lock.json with npm ci');
    expect((await sandbox.archive('s1')).files).toEqual([]);
  });

  it('are not where it does not, or where npm cannot, and that is told', async () => {
    const { open, run } = await served(false, layout);
    await open('s1');
    expect((await run('s1', 'own')).exit_code).toBe(127);
    expect((await run('s1', 'true')).confinement.notes.join()).toContain('since the policy closes the network');
    const broken = await served(false, { ...layout, 'package.json': manifest({ own: 'file:own', other: '1.0.0' }) });
    await broken.open('s1', { network: true });
    expect((await broken.run('s1', 'true')).confinement.notes.join()).toMatch(/npm ci failed \(exit 1\): .*sync/s);
  });
});
