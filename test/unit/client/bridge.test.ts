// The bridge shows a fresh token before the old one ends, and the editor sees nothing of it.
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { endpointOf } from '#shared/client/address.ts';
import { bridge } from '#shared/client/bridge.ts';
import { bearer, SUBPROTOCOL } from '#shared/client/proof.ts';
import { MAX_FRAME } from '#shared/protocols/acp/frame.ts';

let server: WebSocketServer;
beforeEach(async () => {
  server = new WebSocketServer({ port: 0, host: '127.0.0.1', handleProtocols: () => SUBPROTOCOL });
  await once(server, 'listening');
});
afterEach(() => server.close());

it('loses a line that is larger than a frame in bytes, and goes on', async () => {
  const { port } = server.address() as AddressInfo;
  const received: string[] = [];
  server.once('connection', (socket: WebSocket) => {
    socket.on('message', (text) => {
      const { id, method } = JSON.parse(String(text));
      received.push(method);
      socket.send(JSON.stringify({ jsonrpc: '2.0', id, result: {} }));
    });
  });
  const lines: string[] = [];
  const input = (async function* () {
    yield JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'large', params: 'ü'.repeat(MAX_FRAME / 2) });
    yield JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'small' });
  })();
  const proof = bearer(async () => ({ token: 'first', expires_at: null }));
  await bridge({ ...endpointOf(`http://127.0.0.1:${port}`), proof }, { input, write: (line) => lines.push(line) });
  expect(received).toEqual(['small', 'hca/end-of-input']);
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ id: null, error: { code: -32600 } }, { id: 2 }]);
});

it('shows a token again when another has taken its place', async () => {
  const { port } = server.address() as AddressInfo;
  let shown = 0;
  const proof = bearer(async () => {
    shown += 1;
    return { token: shown <= 2 ? 'first' : 'second', expires_at: Date.now() + (shown <= 2 ? 100 : 3_600_000) };
  });
  const lines: string[] = [];
  const input = Promise.withResolvers<void>();
  const received: { id?: string; method?: string; params?: unknown }[] = [];
  server.once('connection', (socket: WebSocket, request) => {
    expect(request.headers['sec-websocket-protocol']).toContain('hca.bearer.first');
    socket.on('message', (text) => {
      const frame = JSON.parse(String(text));
      received.push(frame);
      socket.send(JSON.stringify({ jsonrpc: '2.0', id: frame.id, result: {} }));
      // The bridge was given its token; now the editor may leave.
      if (frame.method === 'authenticate') input.resolve();
    });
  });
  const lineByLine = (async function* () {
    yield JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: {} });
    await input.promise;
  })();
  const address = { ...endpointOf(`http://127.0.0.1:${port}`), proof };
  await bridge(address, { input: lineByLine, write: (line) => lines.push(line) });
  expect(received.map(({ method }) => method)).toEqual(['initialize', 'authenticate', 'hca/end-of-input']);
  expect(received[1]?.params).toEqual({ methodId: 'host-token', _meta: { hca: { token: 'second' } } });
  expect(lines.map((line) => JSON.parse(line))).toEqual([{ jsonrpc: '2.0', id: 1, result: {} }]);
});
