// The clients that OpenHands publishes work against `hca sandbox-server` unchanged: commands, files, git (contract 1.44).
import { HttpClient } from '@openhands/typescript-client/client/http-client';
import { BashClient, FileClient, ServerClient } from '@openhands/typescript-client/clients';
import { RemoteWorkspace } from '@openhands/typescript-client/workspace/remote-workspace';
import { describe, expect, expectTypeOf, it, vi } from 'vitest';
import type { GitChange, GitDiff } from '#local/sandbox-server-git.ts';
import type * as schema from '../../../node_modules/@openhands/typescript-client/dist/generated/agent-server-schema.js';
import { KINDS } from '../local/sandbox/sandboxes.ts';
import { KEY, served } from './served-sandbox.ts';

async function remote(bubblewrap: boolean) {
  const { server } = await served(bubblewrap, { a: '' });
  const dir = `${server.home}/project`;
  const options = { host: server.url, apiKey: KEY };
  const workspace = new RemoteWorkspace({ ...options, workingDir: dir });
  await new FileClient(options).uploadFile('first\n', `${dir}/a.txt`);
  return { workspace, dir, options };
}

const GIT = 'git -c user.name=t -c user.email=t@example.org -c commit.gpgsign=false';

describe.each(KINDS)('RemoteWorkspace of @openhands/typescript-client ($name)', ({ bubblewrap }) => {
  it('runs commands: exit code, both streams, folder, time', async () => {
    const { workspace, dir } = await remote(bubblewrap);
    const ran = await workspace.executeCommand('echo out; echo err >&2; pwd; exit 3', dir);
    expect(ran).toMatchObject({ exit_code: 3, stderr: 'err\n' });
    expect(ran.stdout).toMatch(/^out\n.*project\n$/);
    expect((await workspace.executeCommand('cat a.txt', dir)).stdout).toBe('first\n');
    expect((await workspace.executeCommand('sleep 300', dir, 1)).exit_code).toBe(-1);
    expect(await workspace.executeCommand('true', `${dir}/none`)).toMatchObject({
      exit_code: -1,
      stderr: expect.stringContaining('none'),
    });
    expect((await workspace.executeCommand('true')).exit_code).toBe(0);
  });

  it('uploads and downloads text and bytes', async () => {
    const { workspace, dir } = await remote(bubblewrap);
    const bytes = Uint8Array.from({ length: 5000 }, (_, i) => i % 256);
    expect(await workspace.fileUpload(new Blob([bytes]), `${dir}/deep/b.bin`)).toMatchObject({ success: true });
    expect(await workspace.uploadText('text ü', `${dir}/t.txt`)).toMatchObject({ success: true });
    expect(await workspace.downloadAsText(`${dir}/t.txt`)).toBe('text ü');
    expect((await workspace.executeCommand('wc -c <deep/b.bin', dir)).stdout.trim()).toBe('5000');
    await expect(workspace.fileDownload(`${dir}/none`)).rejects.toThrow(/404/);
  });

  it('tells what git says changed', async () => {
    const { workspace, dir } = await remote(bubblewrap);
    expect(await workspace.gitChanges(dir)).toEqual([]);
    const made = await workspace.executeCommand(
      `git init -q . && printf 'gone\\n' >b.txt && git add . && ${GIT} commit -qm first && printf 'second\\n' >a.txt && rm b.txt && echo n >'new file.txt'`,
      dir,
    );
    expect(made).toMatchObject({ exit_code: 0 });
    expect(await workspace.gitChanges(dir, { ref: 'HEAD' })).toEqual([
      { status: 'UPDATED', path: 'a.txt' },
      { status: 'DELETED', path: 'b.txt' },
      { status: 'ADDED', path: 'new file.txt' },
    ]);
    expect(await workspace.gitDiff(`${dir}/a.txt`, { ref: 'HEAD' })).toEqual({ original: 'first', modified: 'second' });
    await expect(workspace.gitDiff(`${dir}/none.txt`)).rejects.toThrow(/400/);
    await expect(workspace.gitChanges(dir, { ref: 'no-such-ref' })).rejects.toThrow(/400/);
    await expect(workspace.gitChanges(dir, { ref: '--output=x' })).rejects.toThrow(/400/);
  });
});

describe('the other clients of the package', () => {
  it('BashClient starts a command and asks after its output in pieces', async () => {
    const { options, dir } = await remote(false);
    const bash = new BashClient(options);
    const started = await bash.startCommand('head -c 1500000 /dev/zero | tr "\\0" x', dir, 60);
    expect(started).toMatchObject({ kind: 'BashCommand', cwd: dir });
    const search = () => bash.searchEvents({ command_id__eq: started.id, kind__eq: 'BashOutput' });
    await vi.waitUntil(async () => (await search()).items.some((item) => 'exit_code' in item && item.exit_code === 0), {
      timeout: 15_000,
      interval: 50,
    });
    const { items } = await search();
    expect(items.map((item) => ('order' in item ? [item.order, String(item.stdout ?? '').length] : []))).toEqual([
      [0, 1_048_576],
      [1, 451_424],
    ]);
    expect(await bash.getEvent(started.id)).toMatchObject({ id: started.id });
    const commands = await bash.searchEvents({ kind__eq: 'BashCommand' });
    expect(commands.items.map(({ id }) => id)).toEqual([started.id]);
    expect((await bash.clearEvents()).cleared_count).toBe(3);
    await expect(bash.getEvent(started.id)).rejects.toThrow(/404/);
  });

  it('ServerClient and FileClient', async () => {
    const { options, dir } = await remote(false);
    expect(await new ServerClient(options).getHealth()).toEqual({ status: 'ok' });
    expect(await new ServerClient(options).getReady()).toEqual({ status: 'ready' });
    const files = new FileClient(options);
    const { home } = await files.getHome();
    expect(dir.startsWith(home)).toBe(true);
    expect((await files.searchSubdirectories(home)).items.map(({ name }) => name)).toEqual(['project']);
    expect(new Uint8Array(await files.downloadFile(`${dir}/a.txt`))).toEqual(new Uint8Array(Buffer.from('first\n')));
  });

  it('the patch of a repository applies with git', async () => {
    const { options, dir, workspace } = await remote(false);
    await workspace.executeCommand(
      `git init -q . && git add . && ${GIT} commit -qm first && echo second >a.txt && printf '\\0' >bin`,
      dir,
    );
    const params = { path: dir, format: 'git-delta', base_ref: 'HEAD' };
    const { data } = await new HttpClient({ baseUrl: options.host, apiKey: KEY }).get<string>('/api/file/archive', {
      params,
    });
    expect(data).toContain('GIT binary patch');
    await workspace.uploadText(data, `${dir}/.git/change.patch`);
    const back = 'git checkout -q . && git clean -fdq && ls && git apply .git/change.patch && cat a.txt && wc -c <bin';
    expect((await workspace.executeCommand(back, dir)).stdout.replaceAll(' ', '')).toBe('a.txt\nsecond\n1\n');
  });

  it('what is served has the shapes of the generated schema', () => {
    expectTypeOf<GitChange>().toEqualTypeOf<schema.GitChange>();
    expectTypeOf<GitDiff>().toEqualTypeOf<schema.GitDiff>();
  });
});
