// WebSockets of the northbound door: the same guard as HTTP on the upgrade, one frame per message. Methods of our own (`_hca/*`) are answered as
// they come, with the watches of each connection; everything else is ACP and keeps its order.
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import * as z from 'zod';
import { dispatch } from '#functions/acp/step.ts';
import { MAX_FRAME, type ReadFrame, readFrame } from '#shared/protocols/acp/frame.ts';
import { type AcpConnection, acpConnection } from './acp-connection.ts';
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
): { count(): number; close(): Promise<void> } => {
  const speaking = new Set<AcpConnection>();
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_FRAME,
    handleProtocols: (offered) => (offered.has(SUBPROTOCOL) ? SUBPROTOCOL : false),
  });
  server.on('upgrade', (request, stream, head) => {
    options.touch();
    const refused = statusLine(request, options);
    if (refused !== undefined) return end(stream, refused);
    sockets.handleUpgrade(request, stream, head, (socket) => serve(socket, { local, touch: options.touch, speaking }));
  });
  const heartbeat = setInterval(() => {
    for (const socket of sockets.clients) beat(socket);
  }, PING_MS);
  heartbeat.unref();
  return {
    count: () => sockets.clients.size,
    close: async () => {
      clearInterval(heartbeat);
      for (const socket of sockets.clients) socket.terminate();
      sockets.close();
      await Promise.all([...speaking].map((acp) => acp.close()));
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

type Serving = { local: LocalDoor; touch: () => void; speaking: Set<AcpConnection> };

const serve = (socket: WebSocket, { local, touch, speaking }: Serving): void => {
  const watches = watchesOf(socket, local);
  const acp = acpOf(socket, { local, speaking });
  alive.add(socket);
  socket.on('pong', () => alive.add(socket));
  socket.on('error', () => socket.terminate());
  socket.on('message', (bytes, isBinary) => {
    touch();
    alive.add(socket);
    if (isBinary) socket.close(1003, 'text frames only');
    else void receive(String(bytes), socket, { local, watches, acp });
  });
};

type Served = { local: LocalDoor; watches: ReturnType<typeof watchesOf>; acp: () => AcpConnection };

/** The ACP side of a socket, made with its first ACP frame. */
const acpOf = (socket: WebSocket, { local, speaking }: Pick<Serving, 'local' | 'speaking'>): (() => AcpConnection) => {
  let acp: AcpConnection | undefined;
  socket.once('close', () => {
    const ended = acp;
    void ended?.close().then(() => speaking.delete(ended));
  });
  const send = (frame: object): Promise<void> =>
    new Promise((resolve) => {
      socket.once('close', resolve);
      socket.send(JSON.stringify(frame), () => {
        socket.off('close', resolve);
        resolve();
      });
    });
  const broken = (error: unknown): void => {
    process.stderr.write(`acp: ${String(error)}\n`);
    socket.close(1011, 'something is wrong inside hca');
  };
  return () => {
    if (acp === undefined) {
      acp = acpConnection({ local, send, broken });
      speaking.add(acp);
    }
    return acp;
  };
};

const Watched = z.object({ task: z.string(), cursor: z.string() });

const receive = async (text: string, socket: WebSocket, { local, watches, acp }: Served): Promise<void> => {
  const read = readFrame(text);
  if (read.kind === 'invalid') return socket.send(JSON.stringify(read.answer));
  if (read.kind !== 'request' || !isOwn(read)) return acp().receive(read);
  const answer = await dispatch(read.frame, local.principal, local.door);
  socket.send(JSON.stringify(answer));
  if (read.frame.method === '_hca/task/watch' && 'result' in answer) watches.start(Watched.parse(answer.result));
};

const isOwn = (read: ReadFrame): boolean => read.kind === 'request' && read.frame.method.startsWith('_');

/** Sockets that gave a sign of life since the last heartbeat. */
const alive = new WeakSet<WebSocket>();

const beat = (socket: WebSocket): void => {
  if (alive.delete(socket)) socket.ping();
  else socket.terminate();
};
