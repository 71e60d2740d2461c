// A front for others: pages that may ask and pages that may not, names with and without a port, TLS, and that the home's own front knows none of it.
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:https';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import WebSocket from 'ws';
import type { LocalServer } from '#local/server.ts';
import { serve } from '#test/support/acp-wires.ts';
import type { TestDoor } from '#test/support/door.ts';
import type { Issuer } from '#test/support/issuer.ts';
import { type RemoteFronts, remoteFronts } from '#test/support/remote-fronts.ts';

const PAGE = 'https://console.example.org';

let issuer: Issuer;
let at: TestDoor;
let open: RemoteFronts['open'];
let fronts: RemoteFronts;
const servers: LocalServer[] = [];
beforeAll(async () => {
  fronts = await remoteFronts();
  ({ issuer, at, open } = fronts);
});
afterAll(async () => {
  for (const server of servers) await server.close();
  await fronts.close();
});

const PING = JSON.stringify({ jsonrpc: '2.0', id: 1, method: '_hca/ping' });
const post = async (port: number, headers: Record<string, string>, method = 'POST') =>
  fetch(`http://127.0.0.1:${port}/rpc`, {
    method,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${await issuer.sign()}`, ...headers },
    ...(method === 'POST' ? { body: PING } : {}),
  });

describe('pages', () => {
  it('that were named may ask, after asking whether they may', async () => {
    const { port } = await open({ 'allow-origin': PAGE });
    const asked = await post(port, { origin: PAGE, 'access-control-request-method': 'POST' }, 'OPTIONS');
    expect(asked.status).toBe(204);
    expect(asked.headers.get('access-control-allow-origin')).toBe(PAGE);
    expect(asked.headers.get('access-control-allow-headers')).toContain('authorization');
    const answer = await post(port, { origin: PAGE });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('access-control-allow-origin')).toBe(PAGE);
    expect((await post(port, { origin: `http://127.0.0.1:${port}` })).status).toBe(200);
  });

  it.each(['https://evil.example', `${PAGE}.evil.example`, 'null', 'http://console.example.org'])(
    '%s may not, not even ask whether it may',
    async (origin) => {
      const { port } = await open({ 'allow-origin': PAGE });
      const asked = await post(port, { origin, 'access-control-request-method': 'POST' }, 'OPTIONS');
      expect(asked.status).toBe(403);
      expect(asked.headers.get('access-control-allow-origin')).toBeNull();
      expect(await (await post(port, { origin })).json()).toMatchObject({ error: { data: { field: 'Origin' } } });
    },
  );

  it("at the home's own front nobody from elsewhere may, whatever token they have", async () => {
    const own = await serve(at);
    servers.push(own);
    expect((await post(own.port, { origin: PAGE })).status).toBe(403);
    expect((await post(own.port, {})).status).toBe(401);
    const described = await fetch(`http://127.0.0.1:${own.port}/.well-known/oauth-protected-resource`);
    expect(described.status).toBe(401);
  });
});

it('is called by its names only, whatever the port', async () => {
  const { port } = await open({ host: 'hca.example.org' });
  const asked = async (host: string) => {
    const { request: plain } = await import('node:http');
    const headers = { host, 'content-type': 'application/json', authorization: `Bearer ${await issuer.sign()}` };
    const sent = plain({ host: '127.0.0.1', port, path: '/rpc', method: 'POST', headers });
    sent.end(PING);
    const [answer] = await once(sent, 'response');
    return { status: answer.statusCode, body: JSON.parse(await text(answer)) };
  };
  expect(await asked('hca.example.org')).toMatchObject({ status: 200 });
  expect(await asked('hca.example.org:8443')).toMatchObject({ status: 200 });
  for (const host of ['127.0.0.1', `127.0.0.1:${port}`, 'evil.example', 'hca.example.org.evil.example', '']) {
    const refused = await asked(host);
    expect(refused, host).toMatchObject({ body: { error: { data: { field: 'Host' } } } });
    expect(refused.status).toBe(403);
  }
});

it('that cannot listen says where and what to do', async () => {
  const { port } = await open();
  await expect(open({ listen: `127.0.0.1:${port}` })).rejects.toMatchObject({
    code: 'HcaUnavailable',
    field: '--listen',
    message: expect.stringContaining('EADDRINUSE'),
  });
});

const hasOpenssl = (() => {
  try {
    execFileSync('openssl', ['version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

it.skipIf(!hasOpenssl)('speaks TLS with the certificate it is given, over HTTP and WebSocket', async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'hca-tls-'));
  const [cert, key] = ['cert.pem', 'key.pem'].map((file) => path.join(folder, file)) as [string, string];
  const made = [
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:prime256v1',
    '-nodes',
    '-days',
    '2',
    '-subj',
    '/CN=hca',
  ];
  const names = ['-addext', 'subjectAltName=IP:127.0.0.1'];
  execFileSync('openssl', ['req', '-x509', ...made, ...names, '-keyout', key, '-out', cert], { stdio: 'ignore' });
  const { port, listens } = { ...(await open({ 'tls-cert': cert, 'tls-key': key })) } as LocalServer & {
    listens: string;
  };
  expect(listens).toMatch(/^https:/);
  const ca = readFileSync(cert);
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${await issuer.sign()}` };
  const sent = request({ host: '127.0.0.1', port, path: '/rpc', method: 'POST', headers, ca });
  sent.end(PING);
  const [answer] = await once(sent, 'response');
  expect(JSON.parse(await text(answer))).toMatchObject({ result: { host: 'test' } });
  const socket = new WebSocket(`wss://127.0.0.1:${port}/acp`, ['hca.v1', `hca.bearer.${await issuer.sign()}`], { ca });
  await once(socket, 'open');
  socket.send(PING);
  const [frame] = await once(socket, 'message');
  expect(JSON.parse(String(frame))).toMatchObject({ id: 1, result: { host: 'test' } });
  socket.close();
  rmSync(folder, { recursive: true });
});
