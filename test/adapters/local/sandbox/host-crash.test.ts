// A host that is killed with -9 leaves no process behind, whenever it is killed.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { ProcessSandbox } from '#shared/adapters/local/process-sandbox.ts';
import { findMarked } from '#shared/adapters/local/sandbox/strays.ts';
import { bench, KINDS } from './sandboxes.ts';

function doomedHost(home: string, root: string, bubblewrap: boolean) {
  const script = join(import.meta.dirname, 'fixtures/doomed-host.ts');
  const host = spawn(process.execPath, [script, home, root, String(bubblewrap)], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return {
    kill: () => host.kill('SIGKILL'),
    gone: once(host, 'exit'),
    running: () => findMarked((mark) => mark.sandbox === join(home, 'sessions')),
  };
}

describe.each(KINDS)('host crash ($name)', ({ bubblewrap }) => {
  it('a host killed with -9 takes its commands with it, and the next one sweeps the rest', async () => {
    const { home, root, workspaces } = bench(bubblewrap, { a: '' });
    const host = doomedHost(home, root, bubblewrap);
    await vi.waitUntil(() => existsSync(join(home, 'sessions/dropped/work/ready')), { timeout: 20_000 });
    expect(host.running().length).toBeGreaterThan(2);
    host.kill();
    await vi.waitUntil(() => host.running().length === 0, { timeout: 10_000 });
    const next = new ProcessSandbox(join(home, 'sessions'), { trees: workspaces.trees, bubblewrap });
    expect((await next.sweep(new Set(['kept']))).sort()).toEqual(['dropped']);
    expect(readdirSync(join(home, 'sessions'))).toEqual(['kept']);
    await next.sweep(new Set());
  });

  it('a host killed while a command starts leaves nothing that the next start does not end', async () => {
    const { home, root, workspaces } = bench(bubblewrap, { a: '' });
    for (let early = 1; early <= 4; early += 1) {
      const host = doomedHost(home, root, bubblewrap);
      await vi.waitUntil(() => host.running().length >= early, { timeout: 20_000, interval: 1 });
      host.kill();
      await host.gone;
      const next = new ProcessSandbox(join(home, 'sessions'), { trees: workspaces.trees, bubblewrap });
      await next.sweep(new Set());
      await vi.waitUntil(() => host.running().length === 0, { timeout: 10_000 });
      expect(readdirSync(join(home, 'sessions'))).toEqual([]);
    }
  });
});
