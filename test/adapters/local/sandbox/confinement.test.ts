// What a command in a session can see, reach and use, and that the evidence says what could not be confined.

import { createServer } from 'node:net';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { fingerprint, folder, layOut } from './folders.ts';
import { bench, KINDS } from './sandboxes.ts';

describe.each(KINDS)('commands in a session ($name)', ({ bubblewrap }) => {
  it('runs at the workspace path with a scrubbed environment', async () => {
    vi.stubEnv('HCA_CANARY_TOKEN', 'canary-3141');
    const { open, run, root } = bench(bubblewrap, { 'sub/a.txt': 'hello' });
    await open('s1');
    const outcome = await run('s1', 'pwd; cat a.txt; echo; env', { cwd: 'sub' });
    vi.unstubAllEnvs();
    const [cwd, text, ...env] = outcome.stdout.trimEnd().split('\n');
    if (bubblewrap) expect(cwd).toBe(join(root, 'sub'));
    expect(text).toBe('hello');
    const names = env.map((line) => line.split('=')[0]).filter((name) => !/^(PWD|OLDPWD|SHLVL|_)$/.test(name ?? ''));
    expect(names.sort()).toEqual([
      'CI',
      'HCA_HOST',
      'HCA_SANDBOX',
      'HCA_SESSION',
      'HOME',
      'LANG',
      'NO_COLOR',
      'PATH',
      'TMPDIR',
    ]);
    expect(outcome.stdout).not.toContain('canary-3141');
    expect(env.find((line) => line.startsWith('HOME='))).not.toBe(`HOME=${homedir()}`);
    expect(outcome).toMatchObject({
      exit_code: 0,
      signal: null,
      timed_out: false,
      interrupted: false,
      truncated: false,
    });
  });

  it('says in the evidence what confines it and what does not', async () => {
    const { open, run } = bench(bubblewrap, { a: '' });
    await open('s1');
    const { confinement } = await run('s1', 'true');
    expect(confinement.kind).toBe(bubblewrap ? 'bubblewrap' : 'process-group');
    expect(confinement.network).toBe(!bubblewrap);
    if (!bubblewrap) expect(confinement.notes.join()).toMatch(/file system is not confined.*network is not confined/);
  });

  it("never writes to the user's folder, whatever a command does", async () => {
    const { open, run, root, sandbox } = bench(bubblewrap, {
      'src/a.js': 'a',
      'node_modules/dep/index.js': 'dep',
      'node_modules/.bin/tool': { link: '../dep/index.js' },
      abs: { link: 'src' },
    });
    const before = fingerprint(root);
    await open('s1');
    await run(
      's1',
      'echo changed > src/a.js; echo x > new.txt; rm -rf node_modules/* node_modules/.bin; rm -rf src abs; mkdir -p node_modules/.cache/t',
    );
    await sandbox.write('s1', 'src/b.js', 'b');
    await sandbox.archive('s1');
    expect(fingerprint(root)).toBe(before);
    await sandbox.close('s1');
    expect(fingerprint(root)).toBe(before);
  });
});

describe.runIf(KINDS.length > 1)('bubblewrap confines', () => {
  it("the file system: a secret in the host's folders is not there, dependencies are read-only", async () => {
    const secret = layOut(folder('secret'), { 'key.txt': 'canary-2718' });
    const { open, run } = bench(true, { a: '', 'node_modules/dep/index.js': 'dep' });
    await open('s1');
    const look = await run(
      's1',
      `cat ${secret}/key.txt; ls /etc/shadow ${secret}; grep -rs canary-2718 /tmp /root /home /var /etc`,
    );
    expect(look.stdout).toBe('');
    expect((await run('s1', 'echo x >> node_modules/dep/index.js')).exit_code).not.toBe(0);
    expect((await run('s1', 'echo x > /usr/lib/hca-was-here')).exit_code).not.toBe(0);
  });

  it('the network: the host is out of reach unless the policy opened it', async () => {
    const server = createServer((socket) => socket.end('reached')).listen(0, '127.0.0.1');
    await vi.waitUntil(() => server.address() !== null);
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const { open, run } = bench(true, { a: '' });
    await open('closed');
    await open('opened', { network: true });
    const command = [
      'node',
      '-e',
      `require("net").connect(${port},"127.0.0.1").on("error",e=>console.log(e.code)).pipe(process.stdout)`,
    ];
    expect((await run('closed', command)).stdout).not.toContain('reached');
    const outcome = await run('opened', command);
    server.close();
    expect(outcome.stdout).toBe('reached');
    expect(outcome.confinement.network).toBe(true);
  });

  it('processes: it sees only its own', async () => {
    const { open, run } = bench(true, { a: '' });
    await open('s1');
    expect((await run('s1', `ls /proc | grep -c '^${process.pid}$'`)).stdout.trim()).toBe('0');
  });
});
