// Snapshots of a person's folder: what is taken, what is left out and why, and what cannot be a workspace.
import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FilesWorkspaces } from '#shared/adapters/local/files-workspaces.ts';
import { fingerprint, folder, layOut } from './folders.ts';

const store = () => new FilesWorkspaces(folder('store'));

describe('take', () => {
  it('takes files, modes and links, leaves out the rest and says why, and writes nothing', async () => {
    const root = layOut(folder('ws'), {
      'a.txt': 'a',
      'bin/run.sh': { exec: '#!/bin/sh\n' },
      'link-in': { link: 'bin/run.sh' },
      'link-out': { link: '/etc/passwd' },
      'link-up': { link: '../elsewhere' },
      'src/deep/b.ts': 'b',
      '.git/HEAD': 'ref',
      '.env': 'SECRET=1',
      'pkg/.env.local': 'SECRET=2',
      'certs/server.pem': 'key',
      '.ssh/config': 'x',
      '.npmrc': '//registry/:_authToken=abc',
      'pkg/.npmrc': 'save-exact=true',
      'node_modules/x/index.js': 'x',
      'pkg/node_modules/y/index.js': 'y',
      'myenv/pyvenv.cfg': 'home = /usr',
      'target/readme.md': 'a plain folder',
      'rust/target/debug/x': 'built',
      'rust/Cargo.toml': '[package]',
    });
    const before = fingerprint(root);
    const workspaces = store();
    const taken = await workspaces.take(root);
    expect(fingerprint(root)).toBe(before);
    const entries = await workspaces.list(taken.tree);
    expect(entries.map((entry) => `${entry.path}:${entry.mode}`)).toEqual([
      'a.txt:file',
      'bin/run.sh:exec',
      'link-in:link',
      'pkg/.npmrc:file',
      'rust/Cargo.toml:file',
      'src/deep/b.ts:file',
      'target/readme.md:file',
    ]);
    const why = Object.fromEntries(taken.skipped.map(({ path, reason }) => [path, reason]));
    expect(why).toEqual({
      'link-out': 'link_outside',
      'link-up': 'link_outside',
      '.git/': 'repository',
      '.env': 'secret',
      'pkg/.env.local': 'secret',
      'certs/server.pem': 'secret',
      '.ssh/': 'secret',
      '.npmrc': 'secret',
      'node_modules/': 'dependency',
      'pkg/node_modules/': 'dependency',
      'myenv/': 'dependency',
      'rust/target/': 'dependency',
    });
    expect(taken).toMatchObject({ root, files: 7, skipped_count: 12 });
    expect(Buffer.from((await workspaces.read(taken.tree, 'link-in')) ?? '').toString()).toBe('bin/run.sh');
    expect(await workspaces.read(taken.tree, 'none')).toBeNull();
  });

  it('respects ignore files as git does: nested, negated, above the folder, and .git/info/exclude', async () => {
    const repo = layOut(folder('repo'), {
      '.git/info/exclude': 'private.txt\n',
      '.gitignore': '*.log\ndist/\n',
      'app/.gitignore': '!keep.log\n/only-here\n',
      'app/keep.log': '1',
      'app/drop.log': '1',
      'app/dist/x.js': '1',
      'app/private.txt': '1',
      'app/only-here': '1',
      'app/sub/only-here': '1',
    });
    const workspaces = store();
    const taken = await workspaces.take(join(repo, 'app'));
    const paths = (await workspaces.list(taken.tree)).map((entry) => entry.path);
    expect(paths).toEqual(['.gitignore', 'keep.log', 'sub/only-here']);
  });

  it('takes a secret or ignored file only when it is listed', async () => {
    const root = layOut(folder('ws'), { '.env.example': 'A=', '.env': 'A=1', 'a.txt': '' });
    const workspaces = store();
    const taken = await workspaces.take(root, { include: ['.env.example'] });
    expect((await workspaces.list(taken.tree)).map((entry) => entry.path)).toEqual(['.env.example', 'a.txt']);
  });

  it('the same files give the same tree anywhere, a changed byte another one, also when only the times tell', async () => {
    const [one, two] = [folder('one'), folder('two')];
    for (const root of [one, two]) layOut(root, { 'b.txt': 'bb', 'a/c.txt': 'c' });
    const workspaces = store();
    const first = await workspaces.take(one);
    expect((await workspaces.take(two)).tree).toBe(first.tree);
    expect((await workspaces.take(one)).tree).toBe(first.tree);
    writeFileSync(join(one, 'b.txt'), 'bc');
    expect((await workspaces.take(one)).tree).not.toBe(first.tree);
  });

  it.each([
    ['missing', (root: string) => join(root, 'nowhere'), /no folder/],
    ['a file', (root: string) => join(root, 'a.txt'), /is a file/],
    ['empty', () => '', /empty/],
    ['the root of the file system', () => '/', /root of the file system/],
  ])('refuses a workspace that is %s and says what to do', async (_name, path, message) => {
    const root = layOut(folder('ws'), { 'a.txt': '' });
    const failure = await store()
      .take(path(root))
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({ name: 'HcaBadInput', field: 'workspace', message: expect.stringMatching(message) });
    expect(failure).toHaveProperty('remedy', expect.stringMatching(/\w/));
  });

  it.skipIf(process.getuid?.() === 0)('refuses an unreadable workspace', async () => {
    const root = folder('ws');
    chmodSync(root, 0o000);
    await expect(store().take(root)).rejects.toMatchObject({ field: 'workspace' });
    chmodSync(root, 0o755);
  });

  it('stops at a limit of files or bytes and names it', async () => {
    const root = layOut(folder('ws'), { a: '12345', b: '12345', c: '12345' });
    const few = new FilesWorkspaces(folder('store'), { limits: { files: 2 } });
    await expect(few.take(root)).rejects.toMatchObject({
      field: 'workspace',
      message: expect.stringContaining('2 files'),
    });
    const small = new FilesWorkspaces(folder('store'), { limits: { bytes: 9 } });
    await expect(small.take(root)).rejects.toMatchObject({ name: 'HcaBadInput' });
  });

  it('collects what nobody keeps, spares what is young, and takes a collected file again', async () => {
    const root = layOut(folder('ws'), { 'kept.txt': 'kept', 'gone.txt': 'gone' });
    const workspaces = store();
    const old = await workspaces.take(root);
    rmSync(join(root, 'gone.txt'));
    const kept = await workspaces.take(root);
    expect(await workspaces.collect(new Set([kept.tree]))).toEqual({ trees: 0, blobs: 0, bytes: 0 });
    const tomorrow = Date.now() + 86_400_000;
    const bytes = 'gone'.length + JSON.stringify(await workspaces.list(old.tree)).length;
    expect(workspaces.trees.collect(new Set([kept.tree]), tomorrow)).toEqual({ trees: 1, blobs: 1, bytes });
    await expect(workspaces.list(old.tree)).rejects.toMatchObject({ name: 'HcaNotFound' });
    expect(await workspaces.read(kept.tree, 'kept.txt')).toEqual(Buffer.from('kept'));
    workspaces.trees.collect(new Set(), tomorrow);
    const again = await workspaces.take(root);
    expect(again.tree).toBe(kept.tree);
    expect(await workspaces.read(again.tree, 'kept.txt')).toEqual(Buffer.from('kept'));
  });

  it('an unknown tree is not found', async () => {
    await expect(store().list('0'.repeat(64))).rejects.toMatchObject({ name: 'HcaNotFound' });
  });
});
