// The background process: one per home whatever happens, for its owner only, never reached by a web page, clear when it cannot start.
import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import WebSocket from 'ws';
import { isAlive } from '#cli/connect.ts';
import { makePlace, type Place } from '#test/support/command.ts';

let place: Place;
beforeEach(() => {
  place = makePlace();
});
afterEach(() => place.close());

describe('one host per home', () => {
  it('two commands that start at once end up with one host, and a third joins it', async () => {
    const [first, second] = await Promise.all([place.json(['up']), place.json(['up'])]);
    const third = await place.json(['up']);
    expect(new Set([first.instance, second.instance, third.instance]).size).toBe(1);
    expect(first.pid).toBe(place.hostFile().pid);
  });

  it('after kill -9 the next command has a new host; down ends it and leaves no process', async () => {
    const killed = await place.json(['up']);
    process.kill(killed.pid, 'SIGKILL');
    const next = await place.json(['up']);
    expect(next.instance).not.toBe(killed.instance);
    expect(await place.json(['down'])).toMatchObject({ pid: next.pid, open: 0 });
    expect(isAlive(next.pid)).toBe(false);
    expect(existsSync(path.join(place.home, 'host.json'))).toBe(false);
    expect((await place.hca(['down'])).out).toContain('No host runs');
  });

  it.each([
    [0, 0],
    [2, 6],
  ])('a host of another version with %i open tasks: exit %i', async (open, exit) => {
    const old = await otherVersion(place, open);
    const ran = await place.hca(['up', '--json']);
    expect(ran.exit).toBe(exit);
    expect(isAlive(old)).toBe(open > 0);
    if (open > 0) expect(JSON.parse(ran.out).error.remedy).toContain('hca down');
    else expect(JSON.parse(ran.out).pid).not.toBe(old);
    if (open > 0) expect((await place.hca(['down'])).exit).toBe(0);
    expect(isAlive(old)).toBe(false);
  });
});

describe('for its owner only', () => {
  it('keeps home, token and database from everybody else, an existing home too', async () => {
    mkdirSync(place.home);
    chmodSync(place.home, 0o755);
    await place.hca(['up']);
    const rights = (name: string) => (statSync(path.join(place.home, name)).mode & 0o777).toString(8);
    expect(rights('.')).toBe('700');
    expect([rights('token'), rights('host.json'), rights('host.lock'), rights('host.log')]).toEqual([
      '600',
      '600',
      '600',
      '600',
    ]);
  });

  it('refuses a foreign Host, a foreign Origin and a missing token, on HTTP and on the upgrade', async () => {
    await place.hca(['up']);
    const { port } = place.hostFile();
    const token = readFileSync(path.join(place.home, 'token'), 'utf8');
    const good = { host: `127.0.0.1:${port}`, authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const cases: [Record<string, string>, number][] = [
      [good, 200],
      [{ ...good, origin: `http://127.0.0.1:${port}` }, 200],
      [{ ...good, host: 'evil.example' }, 403],
      [{ ...good, host: `evil.example:${port}` }, 403],
      [{ ...good, origin: 'https://evil.example' }, 403],
      [{ ...good, origin: 'null' }, 403],
      [{ ...good, authorization: 'Bearer wrong' }, 401],
      [{ ...good, authorization: '' }, 401],
      [{ ...good, 'content-type': 'text/plain' }, 415],
    ];
    for (const [headers, status] of cases)
      expect((await post(port, headers)).status, JSON.stringify(headers)).toBe(status);
    expect(await upgrade(port, good)).toBe(101);
    expect(await upgrade(port, { ...good, origin: 'https://evil.example' })).toBe(403);
    expect(await upgrade(port, { ...good, host: 'evil.example' })).toBe(403);
    expect(await upgrade(port, { ...good, authorization: 'Bearer wrong' })).toBe(401);
  });

  it('answers an oversize body and a broken frame clearly, and goes on', async () => {
    await place.hca(['up']);
    const { port } = place.hostFile();
    const token = readFileSync(path.join(place.home, 'token'), 'utf8');
    const good = { host: `127.0.0.1:${port}`, authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const huge = await post(port, good, `"${'x'.repeat(5_000_000)}"`);
    expect(huge.status).toBe(413);
    expect(huge.body).toContain('larger than');
    expect((await post(port, good, '{')).status).toBe(400);
    expect((await post(port, good, '[]')).body).toContain('batches');
    expect((await post(port, good)).status).toBe(200);
  });
});

describe('when it cannot start', () => {
  it('says that the home cannot be used', async () => {
    const file = path.join(place.top, 'file');
    writeFileSync(file, '');
    const ran = await place.hca(['status', '--json', '--home', path.join(file, 'home')]);
    expect(ran.exit).toBe(6);
    expect(JSON.parse(ran.out).error).toMatchObject({ field: 'HCA_HOME', remedy: expect.stringContaining('HCA_HOME') });
  });

  it('says that the database is damaged, and changes nothing in it', async () => {
    mkdirSync(place.home, { recursive: true });
    const file = path.join(place.home, 'hca.sqlite');
    writeFileSync(file, 'this is no database'.repeat(1000));
    const ran = await place.hca(['status', '--json']);
    expect(ran.exit).toBe(1);
    expect(JSON.parse(ran.out).error).toMatchObject({
      code: 'HcaCorrupt',
      message: expect.stringContaining('hca.sqlite'),
    });
    expect(readFileSync(file, 'utf8')).toBe('this is no database'.repeat(1000));
  });

  it('says what is wrong with a holarchy file', async () => {
    const config = path.join(place.top, 'two-roots.yaml');
    writeFileSync(
      config,
      'version: 1\npolicy: {}\nholons:\n  - { id: one, role: root }\n  - { id: two, role: root }\n',
    );
    const ran = await place.hca(['up', '--config', config, '--json']);
    expect(ran.exit).toBe(2);
    expect(JSON.parse(ran.out).error.message).toContain('two-roots.yaml');
  });
});

/** Something that answers like a host of version 0.0.1, and ends when it is told to. */
const otherVersion = async ({ home }: Place, open: number): Promise<number> => {
  const program = `
    const pong = { version: '0.0.1', spec: '0.1.0', host: 'embedded', instance: 'old', pid: process.pid, home: '', open: ${open} };
    const server = require('node:http').createServer(async (request, response) => {
      let text = '';
      for await (const piece of request) text += piece;
      const isDown = JSON.parse(text).method === '_hca/down';
      response.setHeader('connection', 'close');
      response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result: isDown ? { pid: process.pid, open: ${open} } : pong }));
      if (isDown) response.on('finish', () => process.exit(0));
    });
    server.listen(0, '127.0.0.1', () => console.log(server.address().port));`;
  const child = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] });
  const port = await new Promise<number>((resolve) => child.stdout.once('data', (text) => resolve(Number(text))));
  mkdirSync(home, { recursive: true });
  const pid = child.pid ?? 0;
  const file = { version: '0.0.1', pid, port, instance: 'old', token_file: path.join(home, 'token'), started_at: 1 };
  writeFileSync(path.join(home, 'host.json'), JSON.stringify(file));
  writeFileSync(path.join(home, 'token'), 'secret');
  return pid;
};

const PING = '{"jsonrpc":"2.0","id":1,"method":"_hca/ping"}';

const post = (port: number, headers: Record<string, string>, body = PING): Promise<{ status: number; body: string }> =>
  new Promise((resolve, reject) => {
    const call = request({ host: '127.0.0.1', port, path: '/rpc', method: 'POST', headers }, (answer) => {
      let text = '';
      answer.on('data', (piece) => {
        text += String(piece);
      });
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, body: text }));
    });
    call.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE' && error.code !== 'ECONNRESET') reject(error);
    });
    call.end(body);
  });

const upgrade = (port: number, headers: Record<string, string>): Promise<number> =>
  new Promise((resolve) => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/acp`, { headers });
    socket.on('unexpected-response', (_request, answer) => resolve(answer.statusCode ?? 0));
    socket.on('error', () => undefined);
    socket.on('open', () => {
      socket.close();
      resolve(101);
    });
  });
