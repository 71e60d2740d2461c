// Files of a session through the sandbox port, and every way out of it that must be refused. One suite for every adapter.
import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { MakeSandboxBench } from './sandbox-bench.ts';

const text = (bytes: Uint8Array | null) => (bytes === null ? null : Buffer.from(bytes).toString());

const WAYS_OUT = ['../x', '/etc/passwd', 'a/../../x', 'out/passwd', 'top/etc/passwd', 'loop', 'up/x', '', 'a\0b'];

export function sandboxFilesSuite(name: string, bench: MakeSandboxBench): void {
  describe(`files of a session (${name})`, () => {
    it('are read, written, listed and removed; a file that may be executed stays one', async () => {
      const { open, sandbox } = await bench({ 'a.txt': 'a', 'run.sh': { exec: 'x' } });
      await open('s1');
      await sandbox.write('s1', 'new/deep.txt', 'text');
      await sandbox.write('s1', 'run.sh', 'y');
      await sandbox.write('s1', 'bytes.bin', Uint8Array.from([0, 255, 10]));
      expect((await sandbox.list('s1')).map((entry) => `${entry.path}:${entry.mode}`)).toEqual([
        'a.txt:file',
        'bytes.bin:file',
        'new/deep.txt:file',
        'run.sh:exec',
      ]);
      expect((await sandbox.list('s1', 'new')).map((entry) => entry.path)).toEqual(['new/deep.txt']);
      expect(text(await sandbox.read('s1', './new//deep.txt'))).toBe('text');
      expect([...((await sandbox.read('s1', 'bytes.bin')) ?? [])]).toEqual([0, 255, 10]);
      expect(await sandbox.read('s1', 'new')).toBeNull();
      expect(await sandbox.remove('s1', 'a.txt')).toBe(true);
      expect(await sandbox.remove('s1', 'a.txt')).toBe(false);
      expect(await sandbox.read('s1', 'a.txt')).toBeNull();
      await expect(sandbox.write('s1', 'new', 'x')).rejects.toMatchObject({ name: 'HcaBadInput', field: 'path' });
    });

    it('commands run in a folder of the session and in no other', async () => {
      const { open, run } = await bench({ 'a.txt': 'a', 'new/deep.txt': 'd' });
      await open('s1');
      for (const cwd of ['.', '', 'new/', './new']) expect((await run('s1', 'true', { cwd })).exit_code).toBe(0);
      expect((await run('s1', 'ls', { cwd: 'new' })).stdout).toBe('deep.txt\n');
      await run('s1', 'ln -s /etc out');
      for (const cwd of ['..', '/etc', 'a.txt', 'none', 'out', '../s2/work'])
        await expect(run('s1', 'true', { cwd })).rejects.toMatchObject({
          name: 'HcaBadInput',
          field: expect.stringMatching(/cwd|path/),
        });
    });

    it('no path and no link leads out', async () => {
      const { open, run, sandbox } = await bench({ 'a.txt': 'a' });
      await open('s1');
      await open('s2');
      await run('s1', 'ln -s /etc out; ln -s / top; ln -s loop loop; ln -s ../../../../../../../../.. up');
      for (const path of [...WAYS_OUT, '../s2/work/a.txt', '../../hca-s2/live/work/a.txt']) {
        const refusal = { name: 'HcaBadInput', field: 'path' };
        await expect(sandbox.read('s1', path), path).rejects.toMatchObject(refusal);
        await expect(sandbox.write('s1', path, 'x'), path).rejects.toMatchObject(refusal);
      }
      expect(await sandbox.remove('s1', 'out')).toBe(true);
      expect(existsSync('/etc/passwd')).toBe(true);
      expect(text(await sandbox.read('s2', 'a.txt'))).toBe('a');
    });
  });
}
