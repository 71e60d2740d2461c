// The one way to any tool: policy, lane and arguments before the call, evidence after it, secrets in none of it.
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { Evidence } from '#shared/contracts/evidence.ts';
import { Policy } from '#shared/contracts/policy.ts';
import { context, toolBench, WORKING } from './tool-bench.ts';

describe('our own servers', () => {
  it('read, write, list and remove files of the session', async () => {
    const { call } = await toolBench({ 'a.txt': 'hello' });
    expect(await call('filesystem.read_file', { path: 'a.txt' })).toMatchObject({
      status: 'ok',
      result: { text: 'hello' },
    });
    expect((await call('filesystem.write_file', { path: 'b/c.txt', content: 'c' })).status).toBe('ok');
    expect((await call('filesystem.list')).result.text).toBe('a.txt\nb/c.txt');
    expect((await call('filesystem.remove', { path: 'a.txt' })).result.text).toBe('removed a.txt');
    expect(await call('filesystem.read_file', { path: 'a.txt' })).toMatchObject({
      status: 'error',
      result: { text: 'there is no file a.txt' },
    });
    expect(await call('filesystem.read_file', { path: '../../etc/passwd' })).toMatchObject({ status: 'error' });
  });

  it('show the change of the session as git would', async () => {
    const { call } = await toolBench({ 'a.txt': 'one\n', 'dir/b.txt': 'two\n' });
    await call('shell.run', { command: 'echo ONE > a.txt; rm dir/b.txt; echo new > c.txt' });
    const status = await call('git.status');
    expect(status.result.text).toBe('M a.txt\nA c.txt\nD dir/b.txt');
    expect(status.result.structured).toMatchObject({ files: 3, added: 2, removed: 2 });
    expect((await call('git.diff', { path: 'dir' })).result.text).toMatch(/^diff --git a\/dir\/b.txt/);
    expect((await call('git.patch')).result.text.match(/^diff --git/gm)).toHaveLength(3);
  });

  it('run commands; the exit code decides, and evidence proves it', async () => {
    const { call } = await toolBench({ a: '' });
    const good = await call('shell.run', { command: ['echo', 'hi'] });
    expect(good).toMatchObject({ status: 'ok', result: { text: 'hi\n' }, rule: 'tools.allow:shell.*' });
    const bad = await call('shell.run', { command: 'echo out; echo err >&2; exit 7' });
    expect(bad.status).toBe('error');
    expect(bad.result.structured).toMatchObject({ exit_code: 7, stdout: 'out\n', stderr: 'err\n' });
    expect(Evidence.parse(bad.evidence)).toMatchObject({
      kind: 'command',
      tool: 'shell.run',
      exit_code: 7,
      stdout_preview: 'out\n',
      stderr_preview: 'err\n',
      stdout_sha256: createHash('sha256').update('out\n').digest('hex'),
      confinement: { kind: 'process-group' },
    });
    const late = await call('shell.run', { command: 'sleep 60', timeout_ms: 200 });
    expect(late).toMatchObject({ status: 'error', evidence: { timed_out: true, exit_code: null } });
  });

  it('bound results and previews, and hash all of it', async () => {
    const { call } = await toolBench({ 'big.txt': 'x'.repeat(300_000) });
    const { result, evidence } = await call('filesystem.read_file', { path: 'big.txt' });
    expect(result.truncated).toBe(true);
    expect(result.text.length).toBeLessThanOrEqual(64_000);
    expect(Evidence.parse(evidence)).toMatchObject({ truncated: true, stdout_bytes: 300_000 });
    expect(evidence?.stdout_sha256).toBe(createHash('sha256').update('x'.repeat(300_000)).digest('hex'));
    const shell = await call('shell.run', { command: 'head -c 5000 big.txt', output_bytes: 1000 });
    expect(shell.result.truncated).toBe(true);
  });

  it('equal arguments have an equal hash in any order', async () => {
    const { call } = await toolBench({ a: '' });
    const one = await call('shell.run', { command: 'true', cwd: '.' });
    const two = await call('shell.run', { cwd: '.', command: 'true' });
    expect(one.status).toBe('ok');
    expect(one.evidence?.arguments_sha256).toBe(two.evidence?.arguments_sha256);
  });

  it('take known secrets out of text, structure and previews, also encoded and at a cut', async () => {
    const secret = 'canary secret/16180339';
    const { call } = await toolBench({
      'a.txt': `token=${secret} ${Buffer.from(secret).toString('base64')} ${encodeURIComponent(secret)}`,
    });
    const read = await call('filesystem.read_file', { path: 'a.txt' }, { secrets: [secret] });
    expect(read.result.text).toBe('token=[redacted] [redacted] [redacted]');
    const run = await call(
      'shell.run',
      { command: `cat a.txt; printf '%.0s${secret} ' $(seq 200) >&2` },
      { secrets: [secret] },
    );
    expect(JSON.stringify(run)).not.toMatch(/16180339|canary/);
    for (const output_bytes of [1000, 1001, 1003, 1010]) {
      const command = `printf '%.0s${secret}' $(seq 200)`;
      const cut = await call('shell.run', { command, output_bytes }, { secrets: [secret] });
      expect(cut.result.text).toMatch(
        /^(\[redacted\])+.{0,3}\n\[\.\.\. \d+ bytes left out \.\.\.\]\n.{0,3}(\[redacted\])+$/,
      );
    }
  });

  it('a session that is not open is a fault, not a tool result', async () => {
    const { call } = await toolBench({ a: '' });
    await expect(call('shell.run', { command: 'true' }, { session: 'never' })).rejects.toMatchObject({
      name: 'HcaNotFound',
    });
    expect((await call('shell.run', { command: 'true' })).status).toBe('ok');
  });
});

describe('refusals: nothing runs, the rule is named', () => {
  it.each([
    ['no policy', 'shell.run', { command: 'true' }, { policy: Policy.parse({}) }, 'servers'],
    ['an unknown server', 'evil.run', {}, {}, 'servers'],
    ['an unknown tool of a known server', 'shell.format_disk', {}, {}, 'side_effects'],
    ['a name of the language itself', 'constructor', {}, {}, 'servers'],
    ['a denied path', 'filesystem.write_file', { path: 'secret/k', content: '' }, {}, 'paths.deny:secret/**'],
    [
      'a denied path in disguise',
      'filesystem.write_file',
      { path: 'x/../secret/k', content: '' },
      {},
      'paths.deny:secret/**',
    ],
    [
      'a write under a reading policy',
      'filesystem.remove',
      { path: 'a' },
      { policy: { ...WORKING, side_effects: 'read_only' as const } },
      'side_effects:read_only',
    ],
    ['a write in a reading lane', 'filesystem.remove', { path: 'a' }, { lane: 'planner' }, 'lane:planner'],
    ['an unknown lane', 'filesystem.list', {}, { lane: 'free-for-all' }, 'lane'],
    ['a missing argument', 'filesystem.remove', {}, {}, 'arguments'],
    ['an argument of the wrong type', 'shell.run', { command: 5 }, {}, 'arguments'],
    ['an argument nobody knows', 'filesystem.remove', { path: 'a', force: true }, {}, 'arguments'],
    [
      'a command on an open network',
      'shell.run',
      { command: 'true' },
      { policy: { ...WORKING, network: { access: 'allow' as const, hosts: ['**'] } } },
      'side_effects:local_write',
    ],
  ])('%s', async (...[, tool, args, extra, rule]) => {
    const { call, sandbox } = await toolBench({ a: 'still here', 'secret/k': 'kept' });
    const before = await sandbox.snapshot('s1');
    expect(await call(tool, args, extra)).toMatchObject({ status: 'refused', rule, evidence: null });
    expect(await sandbox.snapshot('s1')).toBe(before);
  });

  it('an approval is asked for by name, and given it runs', async () => {
    const { call } = await toolBench({ a: '' });
    const approvals = [{ tools: ['filesystem.remove'], side_effects: ['local_write' as const], by: 'person' as const }];
    const policy = { ...WORKING, approvals };
    expect(await call('filesystem.remove', { path: 'a' }, { policy })).toMatchObject({
      status: 'refused',
      needs: 'person',
    });
    expect((await call('filesystem.remove', { path: 'a' }, { policy, approved_by: ['person'] })).status).toBe('ok');
  });
});

describe('catalogue', () => {
  it('lists exactly what this caller may call', async () => {
    const { tools } = await toolBench({ a: '' });
    const names = async (extra: Parameters<typeof context>[0]) =>
      (await tools.list(context(extra))).map((entry) => entry.tool);
    expect(await names({})).toEqual([
      'filesystem.list',
      'filesystem.read_file',
      'filesystem.remove',
      'filesystem.write_file',
      'git.diff',
      'git.patch',
      'git.status',
      'shell.run',
    ]); // prettier-ignore
    expect(await names({ lane: 'planner' })).toEqual([
      'filesystem.list',
      'filesystem.read_file',
      'git.diff',
      'git.patch',
      'git.status',
    ]);
    expect(await names({ policy: { ...WORKING, servers: ['git'] } })).toEqual(['git.diff', 'git.patch', 'git.status']);
    expect(await names({ lane: 'unknown' })).toEqual([]);
    const [list] = await tools.list(context());
    expect(list).toMatchObject({
      ready: true,
      needs_approval: false,
      side_effect: 'read_only',
      input_schema: { type: 'object' },
    });
  });

  it('discovers by text, best first, and nothing for a text that fits nothing', async () => {
    const { tools } = await toolBench({ a: '' });
    const found = await tools.discover(context(), 'run a shell command');
    expect(found[0]?.entry.tool).toBe('shell.run');
    expect((await tools.discover(context(), 'read the content of a file'))[0]?.entry.tool).toBe('filesystem.read_file');
    expect(await tools.discover(context(), 'zebra crossing')).toEqual([]);
  });
});
