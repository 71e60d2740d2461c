// `hca sandbox-server` as a person starts it, and a house that works there: no tool runs in the house's own process.
import childProcess, { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FilesWorkspaces } from '#shared/adapters/local/files-workspaces.ts';
import { McpTools } from '#shared/adapters/open/mcp-tools.ts';
import { oneServer } from '#shared/adapters/open/openhands/one-server.ts';
import { OpenHandsSandbox } from '#shared/adapters/open/openhands-sandbox.ts';
import { Policy } from '#shared/contracts/policy.ts';
import { ended, makePlace, type Place } from '#test/support/command.ts';

let place: Place;
beforeEach(() => {
  place = makePlace();
});
afterEach(() => place.close());

type Ready = { url: string; pid: number; home: string; key_file: string | null; confined_by: string; network: boolean };

/** Starts it and waits for its one line. */
async function start(
  args: string[] = [],
  env: NodeJS.ProcessEnv = {},
): Promise<{ child: ChildProcessWithoutNullStreams; ready: Ready }> {
  const child = place.start(['sandbox-server', '--json', ...args], { env });
  const line = await new Promise<string>((resolve, reject) => {
    child.stdout.once('data', (text) => resolve(String(text)));
    child.once('exit', (code) => reject(new Error(`it ended at once with ${code}`)));
  });
  return { child, ready: JSON.parse(line) };
}

const stop = async (child: ChildProcessWithoutNullStreams, signal: NodeJS.Signals): Promise<number | null> => {
  const end = ended(child);
  child.kill(signal);
  return (await end).exit;
};

async function houseAt(url: string, key: string) {
  const root = path.join(place.top, 'workspace');
  mkdirSync(root, { recursive: true });
  writeFileSync(path.join(root, 'a.txt'), 'a\n');
  const workspaces = new FilesWorkspaces(path.join(place.top, 'snapshots'));
  const sandbox = new OpenHandsSandbox(oneServer({ url, key }), workspaces);
  const { tree } = await workspaces.take(root);
  return { sandbox, request: { id: 's1', tree, workspace: root, network: false } };
}

describe('hca sandbox-server', () => {
  it('says in one line where it is, makes a key for its owner only, tells it nobody, and ends when interrupted', async () => {
    const { child, ready } = await start();
    expect(ready).toMatchObject({
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      pid: child.pid,
      network: false,
    });
    const key = readFileSync(ready.key_file ?? '', 'utf8').trim();
    expect(statSync(ready.key_file ?? '').mode & 0o777).toBe(0o600);
    expect(JSON.stringify(ready)).not.toContain(key);
    const headers = { 'X-Session-API-Key': key };
    expect(await (await fetch(`${ready.url}/api/file/home`, { headers })).json()).toMatchObject({ home: ready.home });
    const second = await place.hca(['sandbox-server']);
    expect(second).toMatchObject({ exit: 6, err: expect.stringContaining('another sandbox server') });
    expect(await stop(child, 'SIGINT')).toBe(0);
    const again = await start(['--port', new URL(ready.url).port]);
    expect(again.ready).toMatchObject({ url: ready.url, key_file: ready.key_file });
    expect(await stop(again.child, 'SIGTERM')).toBe(0);
  });

  it('takes its key from a file that only its owner reads, or from the environment', async () => {
    const file = path.join(place.top, 'key');
    writeFileSync(file, 'a-key-of-enough-characters\n', { mode: 0o644 });
    chmodSync(file, 0o644);
    expect(await place.hca(['sandbox-server', '--key-file', file])).toMatchObject({
      exit: 2,
      err: expect.stringContaining('chmod 600'),
    });
    chmodSync(file, 0o600);
    writeFileSync(file, 'short');
    expect(await place.hca(['sandbox-server', '--key-file', file])).toMatchObject({
      exit: 2,
      err: expect.stringContaining('16 characters'),
    });
    expect(await place.hca(['sandbox-server', '--key-file', `${file}x`])).toMatchObject({
      exit: 2,
      err: expect.stringContaining('no key file'),
    });
    expect(await place.hca(['sandbox-server', '--port', 'x'])).toMatchObject({
      exit: 2,
      err: expect.stringContaining('--port'),
    });
    expect(await place.hca(['sandbox-server', '--listen', '0.0.0.0'])).toMatchObject({
      exit: 2,
      err: expect.stringContaining('--names'),
    });
    const { child, ready } = await start([], { SESSION_API_KEY: 'a-key-of-the-environment' });
    const headers = { 'X-Session-API-Key': 'a-key-of-the-environment' };
    expect((await fetch(`${ready.url}/api/file/home`, { headers })).status).toBe(200);
    expect(ready.key_file).toBeNull();
    await stop(child, 'SIGTERM');
  });

  it('killed with -9 in the middle of a command: the house gets a fault that may be tried again, and goes on at the next start', async () => {
    const first = await start();
    const key = readFileSync(first.ready.key_file ?? '', 'utf8').trim();
    const { sandbox, request } = await houseAt(first.ready.url, key);
    await sandbox.open(request);
    const command = 'echo A > a.txt; flock lock sleep 400';
    const running = sandbox
      .run('s1', { command, timeout_ms: 60_000, output_bytes: 100 })
      .catch((error: unknown) => error);
    await vi.waitUntil(async () => (await sandbox.read('s1', 'lock')) !== null, { timeout: 30_000, interval: 50 });
    await stop(first.child, 'SIGKILL');
    expect(await running).toMatchObject({ name: 'HcaUnavailable', retryable: true });
    const second = await start(['--port', new URL(first.ready.url).port]);
    expect(await sandbox.open(request)).toMatchObject({ reentered: true });
    const look = await sandbox.run('s1', {
      command: 'cat a.txt; flock -n lock echo free',
      timeout_ms: 20_000,
      output_bytes: 100,
    });
    expect(look.stdout).toBe('A\nfree\n');
    await stop(second.child, 'SIGTERM');
  });
});

describe('the tools of a house that works on a server elsewhere', () => {
  const STARTERS = ['spawn', 'spawnSync', 'exec', 'execSync', 'execFile', 'execFileSync', 'fork'] as const;
  const real = Object.fromEntries(STARTERS.map((name) => [name, childProcess[name]]));
  const startable = (names: Record<string, unknown>): void => {
    Object.assign(childProcess, names);
    syncBuiltinESMExports();
  };
  afterEach(() => startable(real));

  it('start no process in the house, which has no git, npm or python either', async () => {
    const { child, ready } = await start();
    const { sandbox, request } = await houseAt(ready.url, readFileSync(ready.key_file ?? '', 'utf8').trim());
    vi.stubEnv('PATH', '/nowhere');
    const never = (): never => {
      throw new Error('a process was started in the house');
    };
    startable(Object.fromEntries(STARTERS.map((name) => [name, never])));
    expect(() => spawn('true')).toThrow('started in the house');
    await sandbox.open(request);
    const tools = new McpTools(sandbox);
    const policy = Policy.parse({
      tools: { allow: ['**'] },
      side_effects: 'local_write',
      paths: { write: ['**'] },
      servers: ['filesystem', 'git', 'shell'],
    });
    const context = { tenant: 't', task: 't', holon: 'h', session: 's1', policy, lane: 'worker' };
    const call = (tool: string, args: Record<string, string> = {}) => tools.call(context, { tool, arguments: args });
    expect(await call('shell.run', { command: 'tr a b <a.txt >b.txt && cat b.txt' })).toMatchObject({
      status: 'ok',
      result: { text: 'b\n' },
      evidence: { confinement: { kind: 'remote' } },
    });
    expect((await call('filesystem.write_file', { path: 'c.txt', content: 'c' })).status).toBe('ok');
    expect((await call('filesystem.read_file', { path: 'b.txt' })).result.text).toBe('b\n');
    expect((await call('git.status')).result.text).toBe('A b.txt\nA c.txt');
    expect((await call('git.patch')).result.text).toContain('+++ b/b.txt');
    vi.unstubAllEnvs();
    startable(real);
    await stop(child, 'SIGTERM');
  });
});
