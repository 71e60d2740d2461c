// WebSockets of the northbound door: the same guard as HTTP on the upgrade, one frame per message, and the watches of each connection.
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import * as z from 'zod';
import { dispatch } from '#functions/acp/step.ts';
import { MAX_FRAME, readFrame } from '#shared/protocols/acp/frame.ts';
import type { LocalDoor } from './door.ts';
import { refusalOf, SUBPROTOCOL } from './guard.ts';

import { watchesOf } from './watches.ts';

/** A silent connection is asked whether it is still there this often; one that does not answer until the next time is ended. */
const PING_MS = 30_000;

/** The guard as it is once the port is known; `touch` is called when something arrives. */
export interface SocketOptions {
  guard(): { port: number; token: string };
  touch(): void;
}

/** Takes upgrades on a server. */
export const acceptSockets = (
  server: Server,
  local: LocalDoor,
  options: SocketOptions,
): { count(): number; close(): void } => {
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_FRAME,
    handleProtocols: (offered) => (offered.has(SUBPROTOCOL) ? SUBPROTOCOL : false),
  });
  server.on('upgrade', (request, stream, head) => {
    options.touch();
    const refused = statusLine(request, options);
    if (refused !== undefined) return end(stream, refused);
    sockets.handleUpgrade(request, stream, head, (socket) => serve(socket, local, options.touch));
  });
  const heartbeat = setInterval(() => {
    for (const socket of sockets.clients) beat(socket);
  }, PING_MS);
  heartbeat.unref();
  return {
    count: () => sockets.clients.size,
    close: () => {
      clearInterval(heartbeat);
      for (const socket of sockets.clients) socket.terminate();
      sockets.close();
    },
  };
};

const statusLine = (request: IncomingMessage, options: SocketOptions): string | undefined => {
  const refusal = refusalOf(request, options.guard());
  if (refusal !== undefined) return refusal.status === 401 ? '401 Unauthorized' : '403 Forbidden';
  return request.url === '/acp' ? undefined : '404 Not Found';
};

const end = (stream: Duplex, status: string): void => {
  stream.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
};

const serve = (socket: WebSocket, local: LocalDoor, touch: () => void): void => {
  const watches = watchesOf(socket, local);
  alive.add(socket);
  socket.on('pong', () => alive.add(socket));
  socket.on('error', () => socket.terminate());
  socket.on('message', (bytes, isBinary) => {
    touch();
    alive.add(socket);
    if (isBinary) socket.close(1003, 'text frames only');
    else void receive(String(bytes), socket, { local, watches });
  });
};

type Served = { local: LocalDoor; watches: ReturnType<typeof watchesOf> };

const Watched = z.object({ task: z.string(), cursor: z.string() });

const receive = async (text: string, socket: WebSocket, { local, watches }: Served): Promise<void> => {
  const read = readFrame(text);
  if (read.kind === 'invalid') return socket.send(JSON.stringify(read.answer));
  if (read.kind !== 'request') return;
  const answer = await dispatch(read.frame, local.principal, local.door);
  socket.send(JSON.stringify(answer));
  if (read.frame.method === '_hca/task/watch' && 'result' in answer) watches.start(Watched.parse(answer.result));
};

/** Sockets that gave a sign of life since the last heartbeat. */
const alive = new WeakSet<WebSocket>();

const beat = (socket: WebSocket): void => {
  if (alive.delete(socket)) socket.ping();
  else socket.terminate();
};
