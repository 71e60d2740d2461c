// A process that has ended and that nobody has waited for: in a container without an init it would stay "alive" for ever.
import { spawn } from 'node:child_process';
import { describe, expect, it, vi } from 'vitest';
import { isAlive } from '#cli/connect.ts';

describe.skipIf(process.platform !== 'linux')('a process', () => {
  it('is not alive as a zombie', async () => {
    const parent = spawn('/bin/sh', ['-c', 'sleep 0.3 & echo $!; exec sleep 60'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const child = await new Promise<number>((resolve) => parent.stdout.once('data', (text) => resolve(Number(text))));
    await vi.waitFor(() => expect(isAlive(child)).toBe(false), { timeout: 10_000 });
    expect(() => process.kill(child, 0)).not.toThrow();
    expect(isAlive(parent.pid ?? 0)).toBe(true);
    parent.kill('SIGKILL');
  });
});
