// What a URL from outside may lead to: no spelling of a private address gets through, a name is judged by all it resolves to, and the address that
// was checked is the one that is called (protocols 10).
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { reachOf } from '#shared/net/addresses.ts';
import { checkUrl, NetRefused, type NetRules, type Resolve } from '#shared/net/guard.ts';
import { guardedFetch } from '#shared/net/guarded-fetch.ts';

const OPEN: NetRules = { isAllowed: () => true, isPrivateAllowed: () => false };
const LOCAL: NetRules = { isAllowed: () => true, isPrivateAllowed: () => true };
const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

const serve = async (listener: RequestListener): Promise<number> => {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return (server.address() as AddressInfo).port;
};

const refusal = async (call: Promise<unknown>): Promise<string> => {
  const error = await call.then(
    () => new Error('it was called'),
    (cause: unknown) => cause,
  );
  if (error instanceof NetRefused) return error.reason;
  throw error;
};

describe('addresses', () => {
  test.each([
    '127.0.0.1',
    '127.9.9.9',
    '10.1.2.3',
    '172.31.0.1',
    '192.168.1.1',
    '100.64.0.1',
    '::1',
    'fd12::1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::127.0.0.1',
    '::7f00:1',
  ])('%s is private', (address) => expect(reachOf(address)).toBe('private'));

  test.each([
    '169.254.169.254',
    '::ffff:169.254.169.254',
    '::a9fe:a9fe',
    'fec0::1',
    'fd00:ec2::254',
    'fe80::1',
    'fe80::1%eth0',
    '0.0.0.0',
    '::',
    '224.0.0.1',
    '255.255.255.255',
    'ff02::1',
    '64:ff9b::a00:1',
    '2002:a00:1::',
    'not an address',
  ])('%s is never called', (address) => expect(reachOf(address)).toBe('never'));

  test.each(['93.184.216.34', '2606:4700::1111', '172.32.0.1', '::ffff:8.8.8.8'])('%s is public', (address) =>
    expect(reachOf(address)).toBe('public'),
  );
});

describe('a URL', () => {
  test.each([
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://0177.0.0.1/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://169.254.169.254/latest/meta-data',
    'https://user:pass@example.com/',
    'http://example.com/',
    'ftp://example.com/',
    'file:///etc/passwd',
  ])('%s is refused', (url) => expect(() => checkUrl(new URL(url), OPEN)).toThrow(NetRefused));

  test('of an allowed host is fine, and of another is not', () => {
    const rules = { ...OPEN, isAllowed: (host: string) => host === 'example.com' };
    expect(() => checkUrl(new URL('https://example.com/a'), rules)).not.toThrow();
    expect(() => checkUrl(new URL('https://example.org/a'), rules)).toThrow('policy does not allow the host');
  });

  test('of a metadata service is refused even where private hosts are allowed', () => {
    expect(() => checkUrl(new URL('http://169.254.169.254/'), LOCAL)).toThrow(NetRefused);
    expect(() => checkUrl(new URL('http://127.0.0.1:1/'), LOCAL)).not.toThrow();
  });
});

describe('a call', () => {
  const to =
    (...addresses: string[]): Resolve =>
    (_, done) =>
      done(
        null,
        addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      );

  test('to a name with one private address among public ones is refused', async () => {
    const call = guardedFetch({ rules: OPEN, resolve: to('93.184.216.34', '10.0.0.1') });
    expect(await refusal(call('https://rebinding.example/'))).toContain('10.0.0.1');
  });

  test('goes to the address that was checked: a name is asked once', async () => {
    const port = await serve((request, response) => response.end(request.headers.host));
    let asked = 0;
    const resolve: Resolve = (_, done) => {
      asked += 1;
      done(null, [{ address: asked === 1 ? '127.0.0.1' : '10.0.0.1', family: 4 }]);
    };
    const response = await guardedFetch({ rules: LOCAL, resolve })(`http://name.example:${port}/`);
    expect(await response.text()).toBe(`name.example:${port}`);
    expect(asked).toBe(1);
  });

  test('follows a redirect only to where it could have gone itself', async () => {
    let inner = 0;
    const port = await serve((request, response) => {
      if (request.url === '/inner') inner += 1;
      response.writeHead(307, { location: `http://127.0.0.1:${port}/inner` }).end();
    });
    const rules = { isAllowed: () => true, isPrivateAllowed: (host: string) => host === 'front.example' };
    const call = guardedFetch({ rules, resolve: to('127.0.0.1') });
    expect(await refusal(call(`http://front.example:${port}/`))).toContain('https');
    expect(inner).toBe(0);
  });

  test('takes no credentials along to another origin, and gives up after some redirects', async () => {
    const seen: IncomingMessage['headers'][] = [];
    const second = await serve((request, response) => {
      seen.push(request.headers);
      response.end('there');
    });
    const first = await serve((request, response) => {
      seen.push(request.headers);
      const location = request.url === '/loop' ? '/loop' : `http://b.example:${second}/`;
      response.writeHead(307, { location }).end();
    });
    const call = guardedFetch({ rules: LOCAL, resolve: to('127.0.0.1') });
    const headers = { authorization: 'Bearer s', 'x-key': 's', accept: 'text/plain' };
    const init = { method: 'POST', headers, body: 'hello' };
    expect(await (await call(`http://a.example:${first}/`, init)).text()).toBe('there');
    expect(seen[0]).toMatchObject({ authorization: 'Bearer s', 'x-key': 's' });
    expect(seen[1]).toMatchObject({ accept: 'text/plain' });
    expect(seen[1]).not.toHaveProperty('authorization');
    expect(seen[1]).not.toHaveProperty('x-key');
    expect(await refusal(call(`http://a.example:${first}/loop`))).toContain('redirects');
  });

  test('carries status, headers and a streamed body, and can be given up', async () => {
    const port = await serve((request, response) => {
      if (request.url === '/none') return void response.writeHead(204).end();
      response.writeHead(201, { 'x-a': '1', 'content-type': 'text/event-stream' });
      response.write('data: 1\n\n');
    });
    const call = guardedFetch({ rules: LOCAL, resolve: to('127.0.0.1') });
    expect((await call(`http://a.example:${port}/none`)).status).toBe(204);
    const stop = new AbortController();
    const response = await call(`http://a.example:${port}/`, { signal: stop.signal });
    expect([response.status, response.headers.get('x-a')]).toEqual([201, '1']);
    const reader = response.body?.getReader();
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('data: 1\n\n');
    stop.abort();
    await expect(reader?.read()).rejects.toThrow();
    servers.at(-1)?.closeAllConnections();
  });
});
