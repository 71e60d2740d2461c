// The life of a session: files, snapshots, archive, entering it again, interrupt, close.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { ProcessSandbox } from '#shared/adapters/local/process-sandbox.ts';
import { findMarked } from '#shared/adapters/local/sandbox/strays.ts';
import { changeSet, fileState } from '#shared/domain/change-set.ts';
import { bench, KINDS } from './sandboxes.ts';

const state = (text: string) => fileState(Buffer.from(text), 'file');
const text = (bytes: Uint8Array | null) => (bytes === null ? null : Buffer.from(bytes).toString());

describe.each(KINDS)('sessions ($name)', ({ bubblewrap }) => {
  it('archives what changed: edits, adds, deletes, modes, links; nothing that is ignored', async () => {
    const { open, run, sandbox, workspaces, root } = bench(bubblewrap, {
      '.gitignore': 'dist/\n*.log\n',
      'a.txt': 'a',
      'b.txt': 'b',
      'c.sh': '#!/bin/sh\n',
      'kept.log': 'ignored by name',
    });
    const tree = await open('s1');
    expect(await sandbox.archive('s1')).toEqual({ base: tree, files: [] });
    await run(
      's1',
      'echo A > a.txt; rm b.txt; chmod +x c.sh; mkdir dist; echo x > dist/x; echo y > y.log; ln -s a.txt l; ln -s /etc/passwd out; printf "\\0" > bin',
    );
    const changes = await sandbox.archive('s1');
    const seen = changes.files.map(({ path, before, after }) => [path, before?.mode ?? null, after?.mode ?? null]);
    expect(seen).toEqual([
      ['a.txt', 'file', 'file'],
      ['b.txt', 'file', null],
      ['bin', null, 'file'],
      ['c.sh', 'file', 'exec'],
      ['l', null, 'link'],
    ]);
    expect(await workspaces.apply(root, changes, 'write')).toHaveProperty('applied');
    expect((await workspaces.take(root)).tree).toBe(await sandbox.snapshot('s1'));
  });

  it('sees a change that keeps size and times, made right after a snapshot', async () => {
    const { open, run, sandbox } = bench(bubblewrap, { 'a.txt': 'aaaa' });
    await open('s1');
    const first = await sandbox.snapshot('s1');
    await run('s1', 'touch -r a.txt ref; printf bbbb > a.txt; touch -r ref a.txt; rm ref');
    expect(await sandbox.snapshot('s1')).not.toBe(first);
  });

  it('restores exactly, ignored leftovers included, and keeps dependencies', async () => {
    const { open, run, sandbox } = bench(bubblewrap, {
      '.gitignore': 'dist/\n',
      'a.txt': 'a',
      'dir/b.txt': 'b',
      'node_modules/dep/index.js': 'module.exports = 1',
    });
    await open('s1');
    const start = await sandbox.snapshot('s1');
    await run('s1', 'echo A > a.txt; rm -r dir; echo file > dir; mkdir dist extra; echo x > dist/x; echo y > extra/y');
    const later = await sandbox.snapshot('s1');
    await sandbox.restore('s1', start);
    expect(await sandbox.snapshot('s1')).toBe(start);
    expect((await run('s1', 'ls -A; node -p \'require("dep")\'')).stdout.split('\n')).toEqual([
      '.gitignore',
      'a.txt',
      'dir',
      'node_modules',
      '1',
      '',
    ]);
    await sandbox.restore('s1', later);
    expect(text(await sandbox.read('s1', 'dir'))).toBe('file\n');
  });

  it('opens with changes laid over the tree, and an evaluator sees the same in a session of its own', async () => {
    const { open, run, sandbox } = bench(bubblewrap, { 'a.txt': 'a', 'b.txt': 'b' });
    const tree = await open('producer');
    await run('producer', 'echo A > a.txt; rm b.txt');
    const changes = await sandbox.archive('producer');
    await sandbox.close('producer');
    await open('evaluator', { changes });
    expect((await run('evaluator', 'cat a.txt; ls')).stdout).toBe('A\na.txt\n');
    expect(await sandbox.archive('evaluator')).toEqual(changes);
    const other = changeSet('0'.repeat(64), [{ path: 'x', before: null, after: state('x') }]);
    await expect(
      sandbox.open({ id: 'bad', tree, workspace: '/w', network: false, changes: other }),
    ).rejects.toMatchObject({ field: 'changes' });
  });

  it('opening again enters the session with what it holds, also from the next host', async () => {
    const { open, run, sandbox, workspaces, home, root } = bench(bubblewrap, { 'a.txt': 'a' });
    const tree = await open('s/1: odd id');
    await run('s/1: odd id', 'echo A > a.txt');
    const again = await sandbox.open({ id: 's/1: odd id', tree, workspace: root, network: false });
    expect(again).toMatchObject({ tree, reentered: true });
    const next = new ProcessSandbox(join(home, 'sessions'), { trees: workspaces.trees, bubblewrap });
    expect(await next.open({ id: 's/1: odd id', tree, workspace: root, network: false })).toMatchObject({
      reentered: true,
    });
    expect(text(await next.read('s/1: odd id', 'a.txt'))).toBe('A\n');
    await expect(
      next.open({ id: 's/1: odd id', tree: '0'.repeat(64), workspace: root, network: false }),
    ).rejects.toMatchObject({ field: 'id' });
  });

  it('reads, writes, removes and lists files, and refuses every way out', async () => {
    const { open, run, sandbox } = bench(bubblewrap, { 'a.txt': 'a', 'run.sh': { exec: 'x' } });
    await open('s1');
    await sandbox.write('s1', 'new/deep.txt', 'text');
    await sandbox.write('s1', 'run.sh', 'y');
    expect((await sandbox.list('s1')).map((entry) => `${entry.path}:${entry.mode}`)).toEqual([
      'a.txt:file',
      'new/deep.txt:file',
      'run.sh:exec',
    ]);
    expect((await sandbox.list('s1', 'new')).map((entry) => entry.path)).toEqual(['new/deep.txt']);
    expect(text(await sandbox.read('s1', './new//deep.txt'))).toBe('text');
    for (const cwd of ['.', '', 'new/', './new']) expect((await run('s1', 'true', { cwd })).exit_code).toBe(0);
    for (const cwd of ['..', '/etc', 'a.txt', 'none'])
      await expect(run('s1', 'true', { cwd })).rejects.toMatchObject({ name: 'HcaBadInput' });
    expect(await sandbox.remove('s1', 'a.txt')).toBe(true);
    expect(await sandbox.remove('s1', 'a.txt')).toBe(false);
    expect(await sandbox.read('s1', 'a.txt')).toBeNull();
    await run('s1', 'ln -s /etc out; ln -s / top; ln -s loop loop; ln -s ../../../.. up');
    for (const path of [
      '../x',
      '/etc/passwd',
      'a/../../x',
      'out/passwd',
      'top/etc/passwd',
      'loop',
      'up/x',
      '',
      'a\0b',
    ]) {
      await expect(sandbox.read('s1', path)).rejects.toMatchObject({ name: 'HcaBadInput', field: 'path' });
      await expect(sandbox.write('s1', path, 'x')).rejects.toMatchObject({ name: 'HcaBadInput', field: 'path' });
    }
    expect(await sandbox.remove('s1', 'out')).toBe(true);
    expect(existsSync('/etc/passwd')).toBe(true);
  });

  it('interrupt ends what runs and keeps the session; a process that left its group ends too', async () => {
    const { open, run, sandbox, home } = bench(bubblewrap, { a: '' });
    await open('s1');
    const running = run('s1', 'setsid sleep 400 & sleep 401');
    const mine = () => findMarked((mark) => mark.sandbox === join(home, 'sessions'));
    await vi.waitUntil(() => mine().length >= 2);
    await sandbox.interrupt('s1');
    expect(await running).toMatchObject({ interrupted: true, timed_out: false, exit_code: null });
    await vi.waitUntil(() => mine().length === 0);
    expect((await run('s1', 'echo alive')).stdout).toBe('alive\n');
    await sandbox.close('s1');
    await sandbox.close('s1');
    await expect(sandbox.interrupt('s1')).resolves.toBeUndefined();
    await expect(sandbox.run('s1', { command: 'true', timeout_ms: 1, output_bytes: 1 })).rejects.toMatchObject({
      name: 'HcaNotFound',
    });
    expect(readdirSync(join(home, 'sessions'))).toEqual([]);
  });

  it('speaks with a long-lived process over its own pipes', async () => {
    const { open, sandbox } = bench(bubblewrap, { a: '' });
    await open('s1');
    const process = await sandbox.spawn('s1', { command: ['cat'] });
    const writer = process.stdin.getWriter();
    await writer.write(Buffer.from('ping'));
    const { value } = await process.stdout.getReader().read();
    expect(Buffer.from(value ?? '').toString()).toBe('ping');
    await sandbox.close('s1');
    expect((await process.exited).exit_code).not.toBe(0);
  });
});
