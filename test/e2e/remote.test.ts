// A host for others, as a person starts and uses it: a little issuer, `hca up --listen`, `hca login` in a home of one's own, and the command
// against it; other tenants, other people and expired tokens outside.
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type CommandOptions, ended, makePlace, makeProject, type Place } from '#test/support/command.ts';
import { AUDIENCE, type Issuer, type Signed, startIssuer } from '#test/support/issuer.ts';

const ACPX = fileURLToPath(new URL('../../node_modules/acpx/dist/cli.js', import.meta.url));
const PROGRAM = fileURLToPath(new URL('../../cli/main.ts', import.meta.url));

let issuer: Issuer;
/** Where the host is, and where a person elsewhere has a home of their own. */
let there: Place;
let here: Place;
let project: string;
let port: number;

beforeAll(async () => {
  issuer = await startIssuer();
  there = makePlace();
  here = makePlace();
  mkdirSync(path.join(there.top, 'projects'));
  project = makeProject(path.join(there.top, 'projects'));
  const remote = ['--listen', '127.0.0.1:0', '--issuer', issuer.url, '--audience', AUDIENCE, '--tenant', 'acme'];
  const folders = ['--folders', path.join(there.top, 'projects'), '--client-id', 'hca-cli'];
  const up = await there.hca(['up', ...remote, ...folders, '--json'], { env: { HCA_LIMITS: 'prompts=20' } });
  port = Number(/:(\d+)/.exec(JSON.parse(up.out).listens)?.[1]);
});
afterAll(async () => {
  await there.close();
  await here.close();
  await issuer.close();
});

const endpoint = () => `ws://127.0.0.1:${port}/acp`;
const tokenOf = (claims: Record<string, unknown> = {}, more: Signed = {}) =>
  issuer.sign({ ...more, claims: { tenant: 'acme', ...claims } });
const elsewhere = (args: string[], options: CommandOptions = {}) =>
  here.hca([...args, '--endpoint', endpoint()], options);
const post = async (method: string, token: string | undefined, params: object = {}) => {
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  if (token !== undefined) headers.authorization = `Bearer ${token}`;
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const answer = await fetch(`http://127.0.0.1:${port}/rpc`, { method: 'POST', headers, body });
  return {
    status: answer.status,
    headers: answer.headers,
    ...((await answer.json()) as { error?: object; result?: object }),
  };
};

it('says who gives tokens for it, and lets nobody in without one', async () => {
  const described = await (await fetch(`http://127.0.0.1:${port}/.well-known/oauth-protected-resource`)).json();
  expect(described).toMatchObject({
    authorization_servers: [issuer.url],
    hca_audience: AUDIENCE,
    hca_client: 'hca-cli',
  });
  const ownToken = readFileSync(path.join(there.home, 'token'), 'utf8');
  for (const token of [undefined, 'nonsense', ownToken, await tokenOf({}, { expires_in: -60 })]) {
    const refused = await post('_hca/task/list', token);
    expect(refused).toMatchObject({ status: 401, error: { code: -32000, data: { code: 'HcaUnauthenticated' } } });
    expect(refused.headers.get('www-authenticate')).toBe('Bearer');
  }
  expect(await post('_hca/task/list', await tokenOf({ tenant: 'other' }))).toMatchObject({
    status: 403,
    error: { data: { code: 'HcaDenied', field: 'tenant' } },
  });
});

it('is not for pages and names that were not said', async () => {
  const headers = { authorization: `Bearer ${await tokenOf()}`, origin: 'https://evil.example' };
  const answer = await fetch(`http://127.0.0.1:${port}/rpc`, { method: 'POST', headers, body: '{}' });
  expect(answer.status).toBe(403);
});

it('without a login it is said what to do; with one every command goes there', async () => {
  const before = await elsewhere(['tasks']);
  expect(before).toMatchObject({ exit: 2, err: expect.stringContaining('hca login --endpoint') });
  issuer.approve({ tenant: 'acme', sub: 'ann' });
  const login = await elsewhere(['login']);
  expect(login.err).toContain('WDJB-MJHT');
  expect(login).toMatchObject({ exit: 0, out: expect.stringContaining('as ann') });
  expect(statSync(path.join(here.home, 'credentials.json')).mode & 0o777).toBe(0o600);
  const before2 = readFileSync(path.join(project, 'sum.js'), 'utf8');
  const ran = await elsewhere(['run', 'make lint pass', '--workspace', project, '--on-host']);
  expect(ran).toMatchObject({ exit: 0, out: expect.stringContaining('accepted') });
  for (const args of [
    ['status'],
    ['tree'],
    ['journal'],
    ['verdict'],
    ['lessons', 'list'],
    ['holon', 'list'],
    ['doctor'],
  ]) {
    expect(await elsewhere(args), args.join(' ')).toMatchObject({ exit: 0 });
  }
  expect(await elsewhere(['apply'])).toMatchObject({ exit: 0 });
  expect(readFileSync(path.join(project, 'sum.js'), 'utf8')).not.toBe(before2);
  // Nothing of it happened in the home of this person, and the owner of the host has tasks of their own only.
  expect((await here.hca(['whoami', '--json', '--endpoint', endpoint()])).out).toContain('"subject": "ann"');
  expect((await there.json(['tasks'])).tasks).toEqual([]);
});

it('HCA_ENDPOINT does what --endpoint does', async () => {
  const ran = await here.hca(['tasks', '--json'], { env: { HCA_ENDPOINT: endpoint() } });
  expect(JSON.parse(ran.out).tasks.length).toBeGreaterThan(0);
});

it('another person sees none of it, and one with fewer scopes may do less', async () => {
  const bob = { env: { HCA_TOKEN: await tokenOf({ sub: 'bob', scope: 'read' }) } };
  expect(JSON.parse((await elsewhere(['tasks', '--json'], bob)).out).tasks).toEqual([]);
  expect(await elsewhere(['status', 'last'], bob)).toMatchObject({
    exit: 2,
    err: expect.stringContaining('there is no task'),
  });
  const denied = await elsewhere(['run', 'make lint pass', '--workspace', project], bob);
  expect(denied).toMatchObject({ exit: 2, err: expect.stringContaining('needs the scope submit') });
  expect(await elsewhere(['down'], bob)).toMatchObject({
    exit: 2,
    err: expect.stringContaining('needs the scope admin'),
  });
});

it('works in no folder that was not named for others', async () => {
  const outside = makeProject(there.top, 'private');
  const link = path.join(there.top, 'projects', 'link');
  symlinkSync(outside, link);
  for (const folder of [outside, link, '/etc', path.join(there.top, 'projects', '..', 'private')]) {
    const refused = await post('_hca/task/submit', await tokenOf(), { goal: 'make lint pass', workspace: folder });
    expect(refused, folder).toMatchObject({ status: 403, error: { data: { code: 'HcaDenied', field: 'workspace' } } });
    const plan = await post('_hca/task/plan', await tokenOf(), { goal: 'make lint pass', workspace: folder });
    expect(plan, folder).toMatchObject({ status: 403 });
  }
});

it('a token in a file, a login that is over, and forgetting it', async () => {
  const file = path.join(here.top, 'token');
  writeFileSync(file, `${await tokenOf({ sub: 'carol' })}\n`);
  expect(await elsewhere(['login', '--token-file', file])).toMatchObject({
    exit: 0,
    out: expect.stringContaining('carol'),
  });
  expect(await elsewhere(['login', '--token-stdin'], { input: 'nonsense' })).toMatchObject({ exit: 2 });
  expect((await elsewhere(['whoami'])).out).toContain('carol');
  const late = await elsewhere(['login', '--token-stdin'], { input: await tokenOf({}, { expires_in: -60 }) });
  expect(late).toMatchObject({ exit: 2, err: expect.stringContaining('expired') });
  expect(await elsewhere(['logout'])).toMatchObject({ exit: 0, out: expect.stringContaining('Forgotten') });
  expect(await elsewhere(['tasks'])).toMatchObject({ exit: 2, err: expect.stringContaining('not logged in') });
});

it('acpx, another generation of client, through the bridge with a token', async () => {
  const agent = [
    process.execPath,
    '--disable-warning=ExperimentalWarning',
    PROGRAM,
    'acp',
    '--endpoint',
    endpoint(),
    '--on-host',
  ];
  const args = [ACPX, '--agent', agent.join(' '), '--approve-all', 'exec', 'what can you do?'];
  const child = spawn(process.execPath, args, {
    cwd: project,
    env: { ...process.env, HOME: here.top, HCA_HOME: here.home, HCA_TOKEN: await tokenOf({ sub: 'kim' }) },
  });
  child.stdin.end();
  const ran = await ended(child);
  expect(ran.out).toContain('What I can do');
  expect(ran.out).toContain('[done] end_turn');
});

it('counts goals for each person, and says when to try again', async () => {
  const token = await tokenOf({ sub: 'ivy' });
  const ask = () => post('_hca/task/plan', token, { goal: 'make lint pass', workspace: '/nowhere' });
  const answers = await Promise.all(Array.from({ length: 21 }, ask));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([...Array.from({ length: 20 }, () => 403), 429]);
  const throttled = answers.find(({ status }) => status === 429);
  expect(throttled?.error).toMatchObject({
    data: { code: 'HcaThrottled', field: 'prompt', retryable: true, retry_after_ms: expect.any(Number) },
  });
  expect((await post('_hca/task/list', token)).status).toBe(200);
  expect((await post('_hca/task/plan', await tokenOf({ sub: 'jon' }), {})).status).toBe(400);
});

it('a host that runs for one person alone is not made one for others in passing', async () => {
  await here.hca(['up']);
  const ran = await here.hca(['up', '--listen', '127.0.0.1:0']);
  expect(ran).toMatchObject({ exit: 2, err: expect.stringContaining('hca down') });
});
