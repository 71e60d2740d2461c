// Dependencies of the original are there without a copy, and links between packages lead into the session's own copy.

import { rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sessionFolders } from '#shared/adapters/local/sandbox/session-record.ts';
import { fingerprint, folder, layOut } from './folders.ts';
import { bench, KINDS } from './sandboxes.ts';

const MONOREPO = {
  'package.json': '{"workspaces":["packages/*"]}',
  'packages/lib/package.json': '{"name":"@acme/lib","version":"1.0.0","main":"index.js"}',
  'packages/lib/index.js': 'exports.greet = () => "hello";',
  'packages/app/test.js':
    'const { greet } = require("@acme/lib"); const dep = require("dep"); const own = require("own");\n' +
    'if (greet() !== "hello" || dep !== 1 || own !== 2) { console.error("greet is broken"); process.exit(1); }\nconsole.log("ok");',
  'node_modules/@acme/lib': { link: '../../packages/lib' },
  'node_modules/dep/package.json': '{"name":"dep","main":"index.js"}',
  'node_modules/dep/index.js': 'module.exports = 1;',
  'node_modules/dep/tool.sh': { exec: '#!/bin/sh\necho tool from the workspace\n' },
  'node_modules/.bin/acme-tool': { link: '../dep/tool.sh' },
  'node_modules/.package-lock.json': '{}',
  'node_modules/.cache/stale': 'of the host',
  'packages/app/node_modules/own/index.js': 'module.exports = 2;',
};

const many = Object.fromEntries(
  Array.from({ length: 80 }, (_, i) => [`node_modules/filler-${i}/index.js`, 'module.exports = require("dep");']),
);

describe.each(
  KINDS.flatMap((kind) => [
    { ...kind, size: 'small', layout: MONOREPO },
    {
      ...kind,
      size: 'large',
      layout: { ...MONOREPO, ...many, 'node_modules/@scope/x/index.js': 'module.exports = require("filler-1");' },
    },
  ]),
)('dependencies in a session ($name, $size)', ({ bubblewrap, layout, size }) => {
  it('a breaking change in a linked package is seen by the package that uses it, and the original stays whole', async () => {
    const { open, run, sandbox, root } = bench(bubblewrap, layout);
    const before = fingerprint(root);
    await open('s1');
    expect(await run('s1', ['node', 'packages/app/test.js'])).toMatchObject({ exit_code: 0, stdout: 'ok\n' });
    await sandbox.write('s1', 'packages/lib/index.js', 'exports.greet = () => "broken";');
    const outcome = await run('s1', ['node', 'packages/app/test.js']);
    expect(outcome).toMatchObject({ exit_code: 1, stderr: 'greet is broken\n' });
    const changes = await sandbox.archive('s1');
    expect(changes.files.map((file) => file.path)).toEqual(['packages/lib/index.js']);
    expect(fingerprint(root)).toBe(before);
  });

  it('an absolute link into the workspace leads into the session too, and is archived unchanged', async () => {
    const { open, run, sandbox, root } = bench(bubblewrap, { ...layout, 'node_modules/@acme/lib': 'to be replaced' });
    rmSync(join(root, 'node_modules/@acme/lib'));
    symlinkSync(join(root, 'packages/lib'), join(root, 'node_modules/@acme/lib'));
    symlinkSync(join(root, 'packages/lib/index.js'), join(root, 'alias.js'));
    await open('s1');
    await run('s1', 'echo "exports.greet = () => 0;" > alias.js');
    expect((await run('s1', ['node', 'packages/app/test.js'])).exit_code).toBe(1);
    expect((await sandbox.archive('s1')).files.map((file) => file.path)).toEqual(['packages/lib/index.js']);
  });

  it('tools of the workspace are on the path, host npm tools are not, caches are fresh and writable', async () => {
    const { open, run } = bench(bubblewrap, layout);
    await open('s1');
    expect((await run('s1', 'acme-tool')).stdout).toBe('tool from the workspace\n');
    expect((await run('s1', 'command -v vitest biome tsc')).stdout).toBe('');
    const cache = await run(
      's1',
      'ls node_modules/.cache 2>/dev/null; mkdir -p node_modules/.cache/x node_modules/.vite-temp && echo y > node_modules/.vite-temp/y && echo fine',
    );
    expect(cache.stdout).toBe('fine\n');
    expect((await run('s1', 'node --version; ls node_modules/.package-lock.json')).exit_code).toBe(0);
  });

  it('reads a dependency, refuses to write into one, and leaves out a link that leads elsewhere with a note', async () => {
    const { open, sandbox, run } = bench(bubblewrap, { ...layout, 'node_modules/evil': { link: '/etc' } });
    await open('s1');
    expect(Buffer.from((await sandbox.read('s1', 'node_modules/dep/index.js')) ?? '').toString()).toBe(
      'module.exports = 1;',
    );
    await expect(sandbox.write('s1', 'node_modules/dep/index.js', 'x')).rejects.toMatchObject({ field: 'path' });
    const { stdout, confinement } = await run('s1', 'ls node_modules/evil/ 2>/dev/null');
    expect(stdout).toBe('');
    expect(confinement.notes).toContain('node_modules/evil leads out of the workspace and is left out');
  });

  it('packages find each other, through a scope too', async () => {
    const { open, run } = bench(bubblewrap, layout);
    await open('s1');
    const name = size === 'large' ? '@scope/x' : 'dep';
    expect((await run('s1', ['node', '-p', `require('${name}')`])).stdout).toBe('1\n');
  });

  it('a virtual environment runs from the session, found by its own marker', async () => {
    const { open, run } = bench(bubblewrap, {
      'a.py': 'print("x")',
      '.venv/pyvenv.cfg': 'home = /usr/bin',
      '.venv/bin/venv-tool': { exec: '#!/bin/sh\necho from venv\n' },
    });
    await open('s1');
    expect((await run('s1', 'venv-tool')).stdout).toBe('from venv\n');
  });

  it('dependencies installed elsewhere and linked as a whole are there, with their commands', async () => {
    const { open, run, root, workspaces } = bench(bubblewrap, layout);
    const second = folder('second');
    layOut(second, { 'package.json': '{}', node_modules: { link: join(root, 'node_modules') } });
    await open('s1');
    const { tree } = await workspaces.take(second);
    await open('s2', { tree, workspace: second });
    expect((await run('s2', ['node', '-p', 'require("dep")'])).stdout).toBe('1\n');
    expect((await run('s2', 'acme-tool')).stdout).toBe('tool from the workspace\n');
  });

  it('a package that is a link into another install finds its own needs there', async () => {
    const { root: other } = bench(bubblewrap, layout);
    const { open, run } = bench(bubblewrap, {
      'package.json': '{}',
      'node_modules/user': { link: join(other, 'node_modules/user') },
    });
    layOut(other, { 'node_modules/user/index.js': 'module.exports = require("dep") + 1;' });
    await open('s1');
    expect((await run('s1', ['node', '-p', 'require("user")'])).stdout).toBe('2\n');
  });

  it('a virtual environment that is elsewhere is shown there too, since its programs name that place', async () => {
    const place = folder('environment');
    layOut(place, {
      'pyvenv.cfg': 'home = /usr/bin',
      'bin/own-shell': { link: '/bin/sh' },
      'bin/venv-tool': { exec: `#!${place}/bin/own-shell\necho from venv\n` },
    });
    const { open, run } = bench(bubblewrap, { 'a.py': 'print("x")', '.venv': { link: place } });
    await open('s1');
    expect((await run('s1', 'venv-tool')).stdout).toBe('from venv\n');
  });
});

it.runIf(KINDS.length > 1)('a sandbox that cannot be set up is a fault, never a command that failed', async () => {
  const { open, run, home } = bench(true, { 'a.txt': 'a' });
  await open('s1');
  rmSync(sessionFolders(join(home, 'sessions'), 's1').home, { recursive: true });
  await expect(run('s1', 'exit 0')).rejects.toMatchObject({ code: 'HcaSandbox', message: /cannot be set up: bwrap:/ });
  await open('s2');
  expect(await run('s2', 'echo "bwrap: said by a command" >&2; echo out; exit 1')).toMatchObject({ exit_code: 1 });
});
