// Content of a git server: fetched in a sandbox session, where policy names the host, with a credential that is only ever named (architecture 9).
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { filesSecrets } from '#shared/adapters/local/files-secrets.ts';
import type { RunRequest, Sandbox } from '#shared/ports/sandbox.ts';
import { OWNER, type TestDoor, testDoor } from '#test/support/door.ts';
import { noOpHolarchy } from '#test/support/no-op-house.ts';

const doors: TestDoor[] = [];
afterEach(async () => {
  for (const door of doors.splice(0)) await door.close();
});

const open = async (sandbox: Partial<Sandbox>) => {
  const at = await testDoor({ sandbox });
  doors.push(at);
  return { at };
};

describe('a git server', () => {
  const SECRET = 'token-of-the-house-9';
  const TREE = 'e'.repeat(64);
  const git = { url: 'https://git.example/team/shop.git', ref: 'main' };
  const kept = mkdtempSync(path.join(os.tmpdir(), 'hca-secrets-'));
  afterAll(() => rmSync(kept, { recursive: true }));
  const keep = (file: string, mode = 0o600) => writeFileSync(path.join(kept, file), `${SECRET}\n`, { mode });
  keep('house@git.example');

  const openGit = async (exit_code = 0, stderr = '', hosts = ['git.example']) => {
    const ran: RunRequest[] = [];
    const sessions: string[] = [];
    const made = await open({
      open: async ({ id, network }) => {
        sessions.push(`open ${network}`);
        return {
          tree: id,
          confinement: { kind: 'process-group', network, memory_limited: false, notes: [] },
          reentered: false,
        };
      },
      run: async (_, request) => {
        ran.push(request);
        return { exit_code, stderr } as Awaited<ReturnType<Sandbox['run']>>;
      },
      snapshot: async () => TREE,
      close: async () => void sessions.push('close'),
    });
    const policy = { ...noOpHolarchy.policy, network: { access: 'allow' as const, hosts } };
    await made.at.door.ports.holons.load(OWNER.tenant, { ...noOpHolarchy, policy });
    made.at.door.git = { sandbox: made.at.house.ports.sandbox, secrets: filesSecrets(kept) };
    const submit = (more: object = {}) =>
      made.at.ask('_hca/task/submit', { goal: 'take the turn', workspace: { git: { ...git, ...more } } });
    return { ...made, ran, sessions, submit };
  };

  test('is fetched in a session with a network of its own; the credential is in no argument and no answer', async () => {
    const { at, ran, sessions, submit } = await openGit();
    const answer = await submit({ credential: 'house' });
    expect(sessions.slice(0, 2)).toEqual(['open true', 'close']);
    expect(ran[0]?.command).toEqual(expect.arrayContaining([git.url, 'main']));
    expect(JSON.stringify(ran[0]?.command)).not.toContain(SECRET);
    expect(Object.values(ran[0]?.env ?? {})).toContain(`Authorization: Basic ${btoa(`x-access-token:${SECRET}`)}`);
    const record = await at.door.ports.tasks.load(OWNER.tenant, answer.task);
    expect(record?.kind === 'task' && record.spec.workspace).toEqual({
      root: '/git.example/team/shop',
      tree: TREE,
      elsewhere: true,
    });
    const { entries } = await at.ask('_hca/task/journal', { task: answer.task });
    expect(JSON.stringify([record, entries, answer])).not.toContain(SECRET);
  });

  test('that cannot be reached is said with what git said, without the credential', async () => {
    const { submit, sessions } = await openGit(128, `fatal: bad token ${SECRET} ${btoa(`x-access-token:${SECRET}`)}`);
    const refused = await submit({ credential: 'house' }).catch((error: unknown) => error);
    expect(refused).toMatchObject({
      message: expect.stringContaining('fatal: bad token'),
      data: { code: 'HcaBadInput' },
    });
    expect(JSON.stringify(refused)).not.toContain(SECRET);
    expect(JSON.stringify(refused)).not.toContain(btoa(`x-access-token:${SECRET}`));
    expect(sessions).toEqual(['open true', 'close']);
  });

  test.each([
    ['a host that policy does not name', { url: 'https://elsewhere.example/x.git' }, 'HcaDenied'],
    ['a host without TLS that policy names by a pattern', { url: 'http://other.example/x.git' }, 'HcaDenied'],
    ['a credential in the address', { url: 'https://me:secret@git.example/x.git' }, 'HcaBadInput'],
    ['another protocol', { url: 'ssh://git.example/x.git' }, 'HcaBadInput'],
    ['a file', { url: 'file:///etc' }, 'HcaBadInput'],
    ['a ref that is an option', { ref: '--upload-pack=touch' }, 'HcaBadInput'],
    ['a ref that leads out', { ref: 'a..b' }, 'HcaBadInput'],
    ['a credential nobody stored', { credential: 'other' }, 'HcaNotFound'],
    ['a credential that is a path', { credential: '../../etc/passwd' }, 'HcaBadInput'],
  ])('%s is refused before anything runs', async (_, more, code) => {
    const { submit, ran } = await openGit();
    await expect(submit(more)).rejects.toMatchObject({ data: { code } });
    expect(ran).toEqual([]);
  });

  test.each([
    'https://169.254.169.254/x.git',
    'https://2852039166/x.git',
    'https://[::ffff:169.254.169.254]/x.git',
    'https://127.0.0.1/x.git',
    'https://[::1]/x.git',
    'https://10.0.0.7/x.git',
    'https://localhost/x.git',
    'https://a.localhost./x.git',
  ])('%s is not what a pattern of policy means', async (url) => {
    const { submit, ran } = await openGit(0, '', ['**']);
    await expect(submit({ url, credential: 'house' })).rejects.toMatchObject({ data: { code: 'HcaDenied' } });
    expect(ran).toEqual([]);
  });

  test('a server of one’s own network is reached where policy names it in full, a metadata service never', async () => {
    const { submit, ran } = await openGit(0, '', ['10.0.0.7', '169.254.169.254']);
    await submit({ url: 'http://10.0.0.7/x.git' });
    expect(ran).toHaveLength(1);
    await expect(submit({ url: 'http://169.254.169.254/x.git' })).rejects.toMatchObject({
      data: { code: 'HcaDenied' },
    });
  });

  const FOR_OTHERS = { ...OWNER, subject: 'ann' };

  test.each([
    ['another server that policy allows', 'https://evil.example/x.git', 'HcaNotFound'],
    ['another port of the server', 'https://git.example:8443/x.git', 'HcaNotFound'],
    ['the server in clear', 'http://git.example/x.git', 'HcaDenied'],
    ['an address in clear', 'http://10.0.0.7/x.git', 'HcaNotFound'],
    ['a name that goes on', 'https://git.example.evil.example/x.git', 'HcaNotFound'],
  ])('a secret that is kept for one server is not shown to %s', async (_, url, code) => {
    keep('house');
    const hosts = ['git.example', 'evil.example', 'git.example.evil.example', '10.0.0.7'];
    const { at, ran } = await openGit(0, '', hosts);
    const params = { goal: 'take the turn', workspace: { git: { url, credential: 'house' } } };
    const refused = await at.ask('_hca/task/submit', params, FOR_OTHERS).catch((error: unknown) => error);
    expect(refused).toMatchObject({ data: { code, field: expect.stringContaining('workspace.git.') } });
    expect(ran).toEqual([]);
    expect(JSON.stringify(refused)).not.toContain(kept);
    if (code === 'HcaNotFound')
      expect(refused).toMatchObject({ data: { remedy: expect.stringContaining('secrets/NAME@SERVER') } });
  });

  test('a server with a port, and one of the own network without TLS, have secrets of their own', async () => {
    keep('house@git.example:8443');
    keep('house@10.0.0.7:80');
    const { ran, submit } = await openGit(0, '', ['git.example', '10.0.0.7']);
    await submit({ url: 'https://git.example:8443/x.git', credential: 'house' });
    await submit({ url: 'http://10.0.0.7/x.git', credential: 'house' });
    expect(ran).toHaveLength(2);
  });

  test('a secret that others of the machine may read is not used, and no folder of the host is told', async () => {
    keep('loose@git.example', 0o644);
    const { submit } = await openGit();
    const refused = await submit({ credential: 'loose' }).catch((error: unknown) => error);
    expect(refused).toMatchObject({ data: { code: 'HcaDenied', remedy: expect.stringContaining('chmod 600') } });
    expect(JSON.stringify(refused)).not.toContain(kept);
  });

  test('what is wrong with it is said with a remedy of its own', async () => {
    const { submit } = await openGit();
    await expect(submit({ ref: '-x' })).rejects.toMatchObject({
      data: { field: 'workspace.git.ref', remedy: expect.stringContaining('branch') },
    });
  });

  test('a host without a place to fetch says so', async () => {
    const { at, submit } = await openGit();
    delete at.door.git;
    await expect(submit()).rejects.toMatchObject({ data: { code: 'HcaRefused' } });
  });
});
