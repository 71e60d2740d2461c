// The life of a session in the embedded sandbox: what every sandbox does, and what only processes of this machine show.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { ProcessSandbox } from '#shared/adapters/local/process-sandbox.ts';
import { findMarked } from '#shared/adapters/local/sandbox/strays.ts';
import { sandboxSuite } from '../../suites/sandbox.ts';
import type { MakeSandboxBench } from '../../suites/sandbox-bench.ts';
import { sandboxCommandsSuite } from '../../suites/sandbox-commands.ts';
import { sandboxFilesSuite } from '../../suites/sandbox-files.ts';
import { bench, KINDS } from './sandboxes.ts';

for (const { name, bubblewrap } of KINDS) {
  const make: MakeSandboxBench = (layout) => {
    const place = bench(bubblewrap, layout);
    const options = { trees: place.workspaces.trees, bubblewrap };
    return { ...place, next: () => new ProcessSandbox(join(place.home, 'sessions'), options) };
  };
  sandboxSuite(name, make);
  sandboxFilesSuite(name, make);
  sandboxCommandsSuite(name, make);
}

describe.each(KINDS)('processes of a session ($name)', ({ bubblewrap }) => {
  it('a restore keeps what the session sees of the dependencies', async () => {
    const { open, run, sandbox } = bench(bubblewrap, {
      'a.txt': 'a',
      'node_modules/dep/index.js': 'module.exports = 1',
    });
    await open('s1');
    const start = await sandbox.snapshot('s1');
    await run('s1', 'echo A > a.txt; mkdir extra');
    await sandbox.restore('s1', start);
    expect((await run('s1', 'ls -A; node -p \'require("dep")\'')).stdout).toBe('a.txt\nnode_modules\n1\n');
  });

  it('none is left after an interrupt, nothing at all after a close', async () => {
    const { open, run, sandbox, home } = bench(bubblewrap, { a: '' });
    await open('s1');
    const running = run('s1', 'setsid sleep 400 & sleep 401');
    const mine = () => findMarked((mark) => mark.sandbox === join(home, 'sessions'));
    await vi.waitUntil(() => mine().length >= 2);
    await sandbox.interrupt('s1');
    expect(await running).toMatchObject({ interrupted: true });
    await vi.waitUntil(() => mine().length === 0);
    await sandbox.close('s1');
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
