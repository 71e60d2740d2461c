// What a sandbox means, whatever it runs on: sessions, files, snapshots, entering again, ending. One suite for every adapter.
import { describe, expect, it } from 'vitest';
import { changeSet, fileState } from '#shared/domain/change-set.ts';
import type { MakeSandboxBench } from './sandbox-bench.ts';

const state = (text: string) => fileState(Buffer.from(text), 'file');
const text = (bytes: Uint8Array | null) => (bytes === null ? null : Buffer.from(bytes).toString());

export function sandboxSuite(name: string, bench: MakeSandboxBench): void {
  describe(`sessions (${name})`, () => {
    it('archives what changed: edits, adds, deletes, modes, links; nothing that is ignored', async () => {
      const { open, run, sandbox, workspaces, root } = await bench({
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
        'echo A > a.txt; rm b.txt; chmod +x c.sh; mkdir dist; echo x > dist/x; echo y > y.log; ln -s a.txt l; ln -s /etc/passwd out; printf "\\0" > bin; echo k > .env; mkdir -p node_modules/d; echo d > node_modules/d/i.js',
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
      const { open, run, sandbox } = await bench({ 'a.txt': 'aaaa' });
      await open('s1');
      const first = await sandbox.snapshot('s1');
      await run('s1', 'touch -r a.txt ref; printf bbbb > a.txt; touch -r ref a.txt; rm ref');
      expect(await sandbox.snapshot('s1')).not.toBe(first);
    });

    it('restores exactly, ignored leftovers included', async () => {
      const { open, run, sandbox } = await bench({ '.gitignore': 'dist/\n', 'a.txt': 'a', 'dir/b.txt': 'b' });
      await open('s1');
      const start = await sandbox.snapshot('s1');
      await run(
        's1',
        'echo A > a.txt; rm -r dir; echo file > dir; mkdir dist extra; echo x > dist/x; echo y > extra/y',
      );
      const later = await sandbox.snapshot('s1');
      await sandbox.restore('s1', start);
      expect(await sandbox.snapshot('s1')).toBe(start);
      expect((await run('s1', 'ls -A; cat dir/b.txt')).stdout).toBe('.gitignore\na.txt\ndir\nb');
      await sandbox.restore('s1', later);
      expect(text(await sandbox.read('s1', 'dir'))).toBe('file\n');
      await expect(sandbox.restore('s1', '0'.repeat(64))).rejects.toMatchObject({ name: 'HcaNotFound' });
    });

    it('lays names that are long, odd or full of quotes, and content of every kind', async () => {
      const long = `${'deep/'.repeat(30)}${'n'.repeat(120)}.txt`;
      const layout = {
        [long]: 'long',
        "it's a $(name) `x` ü\nz.txt": 'odd',
        'empty.txt': '',
        'bin.dat': Uint8Array.from({ length: 2000 }, (_, i) => i % 256),
        'run.sh': { exec: '#!/bin/sh\necho ran\n' },
        link: { link: `${'deep/'.repeat(30)}${'n'.repeat(120)}.txt` },
      };
      const { open, run, sandbox } = await bench(layout);
      const tree = await open('s1');
      expect(await sandbox.snapshot('s1')).toBe(tree);
      expect((await run('s1', './run.sh; cat link; wc -c <bin.dat')).stdout.replaceAll(' ', '')).toBe(
        'ran\nlong2000\n',
      );
      expect(text(await sandbox.read('s1', "it's a $(name) `x` ü\nz.txt"))).toBe('odd');
      await run('s1', 'rm -rf deep; rm *.txt');
      await sandbox.restore('s1', tree);
      expect(await sandbox.snapshot('s1')).toBe(tree);
    });

    it('opens with changes laid over the tree, and an evaluator sees the same in a session of its own', async () => {
      const { open, run, sandbox } = await bench({ 'a.txt': 'a', 'b.txt': 'b' });
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
      await expect(sandbox.open({ id: 'bad', tree, workspace: 'relative', network: false })).rejects.toMatchObject({
        name: 'HcaBadInput',
        field: 'workspace',
      });
    });

    it('opening again enters the session with what it holds, also from the next process', async () => {
      const { open, run, sandbox, next, root } = await bench({ 'a.txt': 'a' });
      const tree = await open('s/1: odd id');
      await run('s/1: odd id', 'echo A > a.txt');
      const request = { id: 's/1: odd id', tree, workspace: root, network: false };
      expect(await sandbox.open(request)).toMatchObject({ tree, reentered: true });
      const other = next();
      expect(await other.open(request)).toMatchObject({ reentered: true });
      expect(text(await other.read('s/1: odd id', 'a.txt'))).toBe('A\n');
      await expect(other.open({ ...request, tree: '0'.repeat(64) })).rejects.toMatchObject({ field: 'id' });
      await other.close('s/1: odd id');
      expect(await other.open(request)).toMatchObject({ reentered: false });
      expect(text(await other.read('s/1: odd id', 'a.txt'))).toBe('a');
    });

    it('two that open a session at once get one and the same', async () => {
      const { sandbox, workspaces, root } = await bench({ 'a.txt': 'a' });
      const { tree } = await workspaces.take(root);
      const request = { id: 's1', tree, workspace: root, network: false };
      const opened = await Promise.all([sandbox.open(request), sandbox.open(request)]);
      expect(opened.map((one) => one.tree)).toEqual([tree, tree]);
      await sandbox.write('s1', 'b.txt', 'b');
      expect((await sandbox.list('s1')).map((entry) => entry.path)).toEqual(['a.txt', 'b.txt']);
    });

    it('sweeps every session that nobody needs, and no other', async () => {
      const { open, sandbox, next } = await bench({ a: '' });
      for (const id of ['kept', 'dropped', 's/odd']) await open(id);
      expect((await next().sweep(new Set(['kept']))).sort()).toEqual(['dropped', 's/odd']);
      expect((await sandbox.list('kept')).length).toBe(1);
      expect(await next().sweep(new Set())).toEqual(['kept']);
    });
  });
}
