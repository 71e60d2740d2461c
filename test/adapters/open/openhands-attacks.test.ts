// What an agent-server and those who talk to it may not do to us, and what is told when it fails: wrong key, huge body, strange paths, a server
// that dies in the middle of a command. No message ever holds the key.
import { once } from 'node:events';
import { createServer, request as httpRequest, type Server } from 'node:http';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { oneServer } from '#shared/adapters/open/openhands/one-server.ts';
import { OpenHandsSandbox } from '#shared/adapters/open/openhands-sandbox.ts';
import { HcaFault } from '#shared/contracts/errors.ts';
import { KINDS } from '../local/sandbox/sandboxes.ts';
import { KEY, served } from './served-sandbox.ts';

const headers = { 'X-Session-API-Key': KEY };

async function caught(work: Promise<unknown>): Promise<HcaFault> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(HcaFault);
  expect(JSON.stringify([error, String((error as HcaFault).cause)])).not.toContain(KEY);
  return error as HcaFault;
}

/** A server that answers everything with one status. */
async function answering(status: number, body = '{"detail":"no"}'): Promise<string> {
  const server = createServer((_request, response) =>
    response.writeHead(status, { location: 'http://127.0.0.1:1/' }).end(body),
  );
  open.push(server.listen(0, '127.0.0.1'));
  await once(server, 'listening');
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
}
const open: Server[] = [];
afterAll(() => {
  for (const server of open.splice(0)) server.close();
});

describe('the sandbox server refuses', () => {
  it('who has no key or a wrong one, everywhere below /api', async () => {
    const { server } = await served(false, { a: '' });
    for (const path of [
      '/api/file/home',
      '/api/git/changes?path=/x',
      '/api/bash/bash_events/search',
      '/api/no/such/thing',
    ]) {
      expect((await fetch(server.url + path)).status, path).toBe(401);
      expect((await fetch(server.url + path, { headers: { 'X-Session-API-Key': `${KEY}x` } })).status, path).toBe(401);
    }
    for (const path of ['/alive', '/health', '/ready', '/server_info'])
      expect((await fetch(server.url + path)).status).toBe(200);
    expect(await (await fetch(`${server.url}/server_info`)).text()).not.toContain(server.home);
  });

  it('a foreign Host and a foreign Origin, whatever the key', async () => {
    const { server } = await served(false, { a: '' });
    const status = async (extra: Record<string, string>): Promise<number | undefined> => {
      const [answer] = await once(
        httpRequest(`${server.url}/api/file/home`, { headers: { ...headers, ...extra } }).end(),
        'response',
      );
      answer.resume();
      return answer.statusCode;
    };
    expect(await status({})).toBe(200);
    expect(await status({ host: 'evil.example' })).toBe(403);
    expect(await status({ origin: 'http://evil.example' })).toBe(403);
  });

  it('paths out of its home and links out of a session', async () => {
    const { server, run, open: enter } = await served(false, { a: '' });
    await enter('s1');
    await run('s1', 'ln -s /etc out');
    const get = (path: string) =>
      fetch(`${server.url}/api/file/download?path=${encodeURIComponent(path)}`, { headers });
    for (const path of [
      '/etc/passwd',
      'relative',
      `${server.home}/../key`,
      `${server.home}/..%2f..`,
      `${server.home}/.x/y`,
      `${server.home}/s\0/y`,
    ])
      expect((await get(path)).status, path).toBe(400);
    expect((await get(`${server.home}/hca-s1/live/work/out/passwd`)).status).toBe(400);
    const upload = (path: string) => {
      const body = new FormData();
      body.append('file', new Blob(['x']), 'x');
      return fetch(`${server.url}/api/file/upload?path=${encodeURIComponent(path)}`, { method: 'POST', headers, body });
    };
    for (const path of ['/tmp/hca-was-here', `${server.home}/hca-s1`, `${server.home}/hca-s1/live/work/out/x`])
      expect((await upload(path)).status, path).toBe(400);
  });

  it('a huge body before it is read, and bodies that are none', async () => {
    const { server } = await served(false, { a: '' });
    const post = (path: string, body: string, more: Record<string, string> = {}) =>
      fetch(server.url + path, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json', ...more },
        body,
      });
    expect((await post('/api/bash/start_bash_command', `{"command":"${'x'.repeat(3_000_000)}"}`)).status).toBe(413);
    for (const body of ['', '{', '[]', '{"command":5}', '{"command":"x","timeout":"soon"}'])
      expect((await post('/api/bash/start_bash_command', body)).status, body).toBe(422);
    expect((await post(`/api/file/upload?path=${server.home}/a/b`, '{}')).status).toBe(422);
    const request = httpRequest(`${server.url}/api/file/upload?path=${server.home}/a/b`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'multipart/form-data; boundary=x', 'content-length': '300000000' },
    });
    request.on('error', () => undefined).flushHeaders();
    const [answer] = await once(request, 'response');
    expect(answer.statusCode).toBe(413);
    request.destroy();
    expect((await fetch(`${server.url}/alive`)).status).toBe(200);
  });
});

describe('a session does not reach another', () => {
  it.runIf(KINDS.length > 1)("not even with a command that knows the other's folder", async () => {
    const { open: enter, run, server } = await served(true, { 'a.txt': 'secret of the other' });
    await enter('s1');
    await enter('s2');
    const other = `${server.home}/hca-s2/live/work/a.txt`;
    expect((await run('s1', `cat ${other}; ls ${server.home}`)).stdout).toBe('hca-s1\n');
  });
});

describe('what is told when the agent-server fails', () => {
  const sandboxAt = async (url: string, key = KEY) => {
    const { workspaces, root } = await served(false, { a: '' });
    const { tree } = await workspaces.take(root);
    const sandbox = new OpenHandsSandbox(oneServer({ url, key }), workspaces);
    return sandbox.open({ id: 's1', tree, workspace: root, network: false });
  };

  it.each([
    [401, 'HcaDenied', false],
    [403, 'HcaDenied', false],
    [404, 'HcaNotFound', false],
    [413, 'HcaTooLarge', false],
    [429, 'HcaThrottled', true],
    [500, 'HcaUnavailable', true],
    [503, 'HcaUnavailable', true],
    [422, 'HcaSandbox', false],
  ])('%i is %s', async (status, name, retryable) => {
    expect(await caught(sandboxAt(await answering(status)))).toMatchObject({ name, retryable });
  });

  it('an answer that is none, a redirect, nobody there, no address, no key', async () => {
    expect(await caught(sandboxAt(await answering(200, 'hello')))).toMatchObject({ name: 'HcaSandbox' });
    expect(await caught(sandboxAt(await answering(307)))).toMatchObject({ name: 'HcaUnavailable', retryable: true });
    expect(await caught(sandboxAt('http://127.0.0.1:9'))).toMatchObject({
      name: 'HcaUnavailable',
      retryable: true,
      field: 'sandbox',
    });
    expect(await caught(sandboxAt('sandbox.example.org'))).toMatchObject({ name: 'HcaBadInput', field: 'sandbox' });
    expect(await caught(sandboxAt('http://127.0.0.1:9', ''))).toMatchObject({ name: 'HcaBadInput', field: 'sandbox' });
    const { server } = await served(false, { a: '' });
    expect(await caught(sandboxAt(server.url, 'another key, long enough'))).toMatchObject({ name: 'HcaDenied' });
  });

  it('a server that dies in the middle of a command is a fault that may be tried again, and the session is entered again', async () => {
    const { open: enter, run, sandbox, server, again, next } = await served(false, { 'a.txt': 'a' });
    const tree = await enter('s1');
    const fault = caught(run('s1', 'echo A > a.txt; touch up; sleep 400', { timeout_ms: 60_000 }));
    await vi.waitUntil(async () => (await sandbox.read('s1', 'up')) !== null, { timeout: 15_000, interval: 50 });
    await server.close();
    expect(await fault).toMatchObject({ name: 'HcaUnavailable', retryable: true });
    await again();
    const other = next();
    expect(await other.open({ id: 's1', tree, workspace: '/w', network: false })).toMatchObject({ reentered: true });
    expect(Buffer.from((await other.read('s1', 'a.txt')) ?? '').toString()).toBe('A\n');
    expect((await other.run('s1', { command: 'echo works', timeout_ms: 20_000, output_bytes: 100 })).stdout).toBe(
      'works\n',
    );
  });

  it('a foreign MCP server over stdio is refused with its reason, and nothing is started here instead', async () => {
    const { sandbox, open: enter } = await served(false, { a: '' });
    await enter('s1');
    await expect(sandbox.spawn('s1', { command: ['cat'] })).rejects.toMatchObject({ name: 'HcaRefused', field: 'mcp' });
  });
});
