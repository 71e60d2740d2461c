// Commands in a session: what is told of them, their bounds, and their end. One suite for every adapter.
import { createHash, randomInt } from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';
import type { MakeSandboxBench } from './sandbox-bench.ts';

const sha256 = (content: string) => createHash('sha256').update(content).digest('hex');

export function sandboxCommandsSuite(name: string, bench: MakeSandboxBench): void {
  describe(`commands in a session (${name})`, () => {
    it('report exit code, both streams, their hashes and sizes, and keep head and tail within the bound', async () => {
      const { open, run } = await bench({ a: '' });
      await open('s1');
      const small = await run('s1', 'printf out; printf err >&2; exit 3');
      expect(small).toMatchObject({ exit_code: 3, stdout: 'out', stderr: 'err', stdout_bytes: 3, stderr_bytes: 3 });
      expect(small).toMatchObject({ signal: null, timed_out: false, interrupted: false, truncated: false });
      expect(small.stdout_sha256).toBe(sha256('out'));
      const command = 'printf BEGIN; head -c 500000 /dev/zero | tr "\\0" x; printf END';
      const large = await run('s1', command, { output_bytes: 1000 });
      expect(large.stdout).toMatch(/^BEGINx+\n\[\.\.\. 499008 bytes left out \.\.\.\]\nx+END$/);
      expect(large).toMatchObject({ truncated: true, stdout_bytes: 500_008 });
      expect(large.stdout_sha256).toBe(sha256(`BEGIN${'x'.repeat(500_000)}END`));
      const exact = await run('s1', 'printf 12345678', { output_bytes: 8 });
      expect(exact).toMatchObject({ stdout: '12345678', truncated: false });
      expect((await run('s1', ['no-such-program-anywhere'])).exit_code).toBe(127);
    });

    it('take their arguments, input and environment as they are given', async () => {
      const { open, run, sandbox } = await bench({ a: '' });
      await open('s1');
      const odd = ["it's", '$(echo no)', '`x`', 'a b', '', 'ü\n', '"q"'];
      const said = await run('s1', ['sh', '-c', 'for w; do printf "[%s]" "$w"; done', 'sh', ...odd]);
      expect(said.stdout).toBe(odd.map((word) => `[${word}]`).join(''));
      const input = `first line\n${'x'.repeat(300_000)}`;
      const read = await run('s1', 'cat; printf %s "$GIVEN"', {
        stdin: input,
        env: { GIVEN: "it's" },
        output_bytes: 1_000_000,
      });
      expect(read.stdout).toBe(`${input}it's`);
      const long = await run('s1', `${'#'.repeat(110_000)}\necho done`);
      expect(long.stdout).toBe('done\n');
      await expect(sandbox.run('s1', { command: [], timeout_ms: 1000, output_bytes: 10 })).rejects.toMatchObject({
        field: 'command',
      });
    });

    it('have a home, a place for temporary files and no secret of the host', async () => {
      vi.stubEnv('HCA_CANARY_TOKEN', 'canary-3141');
      const { open, run } = await bench({ a: '' });
      await open('s1');
      const env = await run('s1', 'env; echo t > "$TMPDIR/t"; echo h > "$HOME/h"; cat "$TMPDIR/t" "$HOME/h"');
      vi.unstubAllEnvs();
      expect(env.stdout).not.toContain('canary-3141');
      expect(env.stdout).toMatch(/t\nh\n$/);
      expect(env.stdout).not.toMatch(/^HOME=\/root$/m);
    });

    it('over their time are killed with everything they started', async () => {
      const { open, run } = await bench({ a: '' });
      await open('s1');
      // Its own number, because other suites sleep on this machine at the same time.
      const nap = `300.${randomInt(1e9)}`;
      const outcome = await run('s1', `sleep ${nap} & echo started; sleep ${nap}`, { timeout_ms: 1500 });
      expect(outcome).toMatchObject({ timed_out: true, exit_code: null, signal: 'SIGKILL', stdout: 'started\n' });
      const after = await run('s1', `ps ax -o args 2>/dev/null | grep -c "^sleep ${nap.replace('.', '[.]')}"`);
      expect(after.stdout.trim()).not.toMatch(/^[1-9]/);
    });

    it('are limited in memory where the session says so', async () => {
      const { open, run } = await bench({ a: '' });
      await open('s1', { memory_bytes: 300_000_000 });
      const script = 'const a = []; for (let i = 0; i < 20; i++) a.push(Buffer.alloc(50e6, 1)); console.log("got it")';
      const outcome = await run('s1', ['node', '-e', script]);
      expect(outcome.exit_code).not.toBe(0);
      expect(outcome.stdout).not.toContain('got it');
      expect(outcome.confinement.memory_limited).toBe(true);
    });

    it('end when interrupted, and the session stays; one that left its group ends too', async () => {
      const { open, run, sandbox } = await bench({ a: '' });
      await open('s1');
      const running = run('s1', "setsid flock lock sh -c 'touch held; sleep 400' & sleep 401");
      await vi.waitUntil(async () => (await sandbox.read('s1', 'held')) !== null, { timeout: 15_000, interval: 50 });
      expect((await run('s1', 'flock -n lock echo free')).stdout).toBe('');
      await sandbox.interrupt('s1');
      expect(await running).toMatchObject({ interrupted: true, timed_out: false, exit_code: null });
      expect((await run('s1', 'flock -n lock echo free')).stdout).toBe('free\n');
      expect((await run('s1', 'echo alive')).stdout).toBe('alive\n');
    });

    it('do not run in a session that is not open; ending what is not there does nothing', async () => {
      const { open, run, sandbox } = await bench({ a: '' });
      await expect(run('never', 'true')).rejects.toMatchObject({ name: 'HcaNotFound' });
      await open('s1');
      await sandbox.close('s1');
      await sandbox.close('s1');
      await expect(sandbox.interrupt('s1')).resolves.toBeUndefined();
      await expect(run('s1', 'true')).rejects.toMatchObject({ name: 'HcaNotFound' });
      await expect(sandbox.read('s1', 'a')).rejects.toMatchObject({ name: 'HcaNotFound' });
    });
  });
}
