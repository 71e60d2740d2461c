// What a front tells people elsewhere about itself and what it does not: where its home is, its own address, why a connection ends.
import { once } from 'node:events';
import { request } from 'node:http';
import os from 'node:os';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import WebSocket from 'ws';
import { MAX_FRAME } from '#shared/protocols/acp/frame.ts';
import { OWNER } from '#test/support/door.ts';
import { type RemoteFronts, remoteFronts } from '#test/support/remote-fronts.ts';

let fronts: RemoteFronts;
beforeAll(async () => {
  fronts = await remoteFronts();
});
afterAll(() => fronts.close());

/** Whose tokens the issuer signs. */
const ANN = { ...OWNER, subject: 'alice' };

const socketTo = async (port: number): Promise<WebSocket> => {
  const token = await fronts.issuer.sign();
  const socket = new WebSocket(`ws://127.0.0.1:${port}/acp`, ['hca.v1', `hca.bearer.${token}`]);
  await once(socket, 'open');
  return socket;
};

describe('where the home of the host is', () => {
  const asked = async (port: number, method: string, params: object = {}) => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${await fronts.issuer.sign()}` };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    return (await fetch(`http://127.0.0.1:${port}/rpc`, { method: 'POST', headers, body })).text();
  };

  it('is told to its owner and to nobody elsewhere, and still no work is done there', async () => {
    const { port } = await fronts.open({ folders: os.tmpdir() });
    const pong = await asked(port, '_hca/ping');
    expect(pong).toContain('"host":"test"');
    for (const workspace of ['/', '/home/of', '/home/of/hca/secrets']) {
      const refused = await asked(port, '_hca/task/submit', { goal: 'take the turn', workspace });
      expect(refused).toContain("hca's own home");
      expect(pong + refused).not.toContain('/home/of/hca"');
      expect(refused.replace(`${workspace} `, '')).not.toContain('/home/of/hca');
    }
    expect(await fronts.at.ask('_hca/ping', {})).toMatchObject({ home: '/home/of/hca' });
  });

  it('is no matter to an editor elsewhere, whose folders are of its own machine', async () => {
    const { port } = await fronts.open();
    const socket = await socketTo(port);
    const send = async (id: number, method: string, params: object) => {
      socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
      for (;;) {
        const [frame] = await once(socket, 'message');
        const read = JSON.parse(String(frame));
        if (read.id === id) return read;
      }
    };
    await send(1, 'initialize', { protocolVersion: 1 });
    expect(await send(2, 'session/new', { cwd: '/home/of/hca', mcpServers: [] })).toMatchObject({
      result: { sessionId: expect.any(String) },
    });
    socket.close();
  });
});

describe('its description (RFC 9728)', () => {
  const described = async (port: number, host: string) => {
    const sent = request({
      host: '127.0.0.1',
      port,
      path: '/.well-known/oauth-protected-resource',
      headers: { host },
    });
    sent.end();
    const [answer] = await once(sent, 'response');
    return JSON.parse(await text(answer)).resource;
  };

  it('names the address that was asked, with its port; a name of others means TLS in front', async () => {
    const { port } = await fronts.open({ host: 'hca.example.org,127.0.0.1' });
    expect(await described(port, `127.0.0.1:${port}`)).toBe(`http://127.0.0.1:${port}`);
    expect(await described(port, 'hca.example.org:8443')).toBe('https://hca.example.org:8443');
    expect(await described(port, 'hca.example.org')).toBe('https://hca.example.org');
  });
});

it('counts the watches that go on, not those of tasks that are over', async () => {
  const { at } = fronts;
  const { port } = await fronts.open();
  const { task } = await at.ask('_hca/task/submit', { goal: 'take the turn', workspace: '/w' }, ANN);
  await at.house.idle();
  const socket = await socketTo(port);
  const closed = once(socket, 'close');
  for (let id = 1; id <= 70; id += 1) {
    const whole = new Promise<void>((resolve) => {
      const look = (text: unknown): void => {
        if (JSON.parse(String(text)).params?.done !== true) return;
        socket.off('message', look);
        resolve();
      };
      socket.on('message', look);
    });
    socket.send(JSON.stringify({ jsonrpc: '2.0', id, method: '_hca/task/watch', params: { task, cursor: '' } }));
    expect(await Promise.race([whole, closed])).toBeUndefined();
  }
  socket.close();
});

it('ends a connection with too large a frame by the code and the reason for it', async () => {
  const { port } = await fronts.open();
  const socket = await socketTo(port);
  socket.send('x'.repeat(MAX_FRAME + 1));
  const [code, reason] = await once(socket, 'close');
  expect([code, String(reason)]).toEqual([1009, `HcaTooLarge: a frame has at most ${MAX_FRAME} bytes`]);
});
