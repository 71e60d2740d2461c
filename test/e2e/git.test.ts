// Content of a real git server, fetched by real git inside the embedded sandbox: branch, tag and commit, with a credential the server asks for.
import { execFileSync } from 'node:child_process';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { cloneInto } from '#functions/acp/clone.ts';
import { filesSecrets } from '#shared/adapters/local/files-secrets.ts';
import { FilesWorkspaces } from '#shared/adapters/local/files-workspaces.ts';
import { ProcessSandbox } from '#shared/adapters/local/process-sandbox.ts';
import { OWNER, type TestDoor, testDoor } from '#test/support/door.ts';
import { noOpHolarchy } from '#test/support/no-op-house.ts';
import { folder } from '../adapters/local/sandbox/folders.ts';

const SECRET = 'me:let-me-in';
let server: Server;
let at: TestDoor;
let workspaces: FilesWorkspaces;
let url: string;
let first: string;

beforeAll(async () => {
  const [work, bare] = [folder('work'), folder('bare')];
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', work, '-c', 'user.name=a', '-c', 'user.email=a@b', ...args])
      .toString()
      .trim();
  git('init', '--quiet', '--initial-branch', 'main');
  execFileSync('sh', ['-c', `printf one > '${work}/a.txt'`]);
  git('add', '.');
  git('commit', '--quiet', '-m', 'one');
  first = git('rev-parse', 'HEAD');
  git('tag', 'v1');
  execFileSync('sh', ['-c', `printf two > '${work}/a.txt'`]);
  git('commit', '--quiet', '-am', 'two');
  execFileSync('git', ['clone', '--quiet', '--bare', work, path.join(bare, 'shop.git')]);
  execFileSync('git', ['-C', path.join(bare, 'shop.git'), 'update-server-info']);
  server = createServer((request, response): unknown => {
    const file = path.join(bare, new URL(request.url ?? '/', 'http://x').pathname);
    if (request.headers.authorization !== `Basic ${btoa(SECRET)}`) return response.writeHead(401).end();
    if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) return response.writeHead(404).end();
    return response.end(readFileSync(file));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/shop.git`;
  const home = folder('home');
  workspaces = new FilesWorkspaces(home);
  workspaces.trees.put([]);
  at = await testDoor();
  const policy = { ...noOpHolarchy.policy, network: { access: 'allow' as const, hosts: ['127.0.0.1'] } };
  await at.door.ports.holons.load(OWNER.tenant, { ...noOpHolarchy, policy });
  const kept = folder('secrets');
  writeFileSync(path.join(kept, `shop@${new URL(url).host}`), `${SECRET}\n`, { mode: 0o600 });
  at.door.git = {
    sandbox: new ProcessSandbox(path.join(home, 'sessions'), { trees: workspaces.trees }),
    secrets: filesSecrets(kept),
  };
});
afterAll(async () => {
  server.close();
  await at.close();
});

const fetched = async (ref: string, credential = 'shop') => {
  const { tree, elsewhere } = await cloneInto({ url, ref, credential }, { principal: OWNER, door: at.door });
  expect(elsewhere).toBe(true);
  const entries = await workspaces.list(tree);
  const text = Buffer.from((await workspaces.read(tree, 'a.txt')) ?? []).toString();
  return { paths: entries.map(({ path: name }) => name), text };
};

it.each(['HEAD', 'main'])('%s is what the branch has now, without the repository', async (ref) => {
  expect(await fetched(ref)).toEqual({ paths: ['a.txt'], text: 'two' });
});

it('a tag and a commit are what they were', async () => {
  expect((await fetched('v1')).text).toBe('one');
  expect((await fetched(first)).text).toBe('one');
});

it('without the credential, or for a ref that is not there, git’s own words come back and no secret', async () => {
  const missing = await fetched('nowhere').catch((error: unknown) => error);
  expect(missing).toMatchObject({ code: 'HcaBadInput', message: expect.stringContaining('could not be fetched') });
  expect(String(missing)).not.toContain(btoa(SECRET));
  const asking = { principal: OWNER, door: at.door };
  await expect(cloneInto({ url, ref: 'main' }, asking)).rejects.toMatchObject({ code: 'HcaBadInput' });
});
