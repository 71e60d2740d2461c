// WebSockets of the northbound door: the same guard as HTTP on the upgrade, one frame per message. Methods of our own (`_hca/*`) are answered as
// they come, with the watches of each connection; everything else is ACP and keeps its order.
import { type IncomingMessage, type Server, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocket, WebSocketServer } from 'ws';
import * as z from 'zod';
import { type Peer, respond } from '#functions/acp/step.ts';
import { SUBPROTOCOL } from '#functions/authorize/step.ts';
import { MAX_FRAME, type ReadFrame } from '#shared/protocols/acp/frame.ts';
import { type AcpConnection, acpConnection } from './acp-connection.ts';
import type { LocalDoor } from './door.ts';
import { type Caller, type Gate, isRefusal } from './gate.ts';
import { sizedFrame } from './sized-frame.ts';
import { watchesOf } from './watches.ts';

/** A silent connection is asked whether it is still there this often; one that does not answer until the next time is ended. */
const PING_MS = 30_000;

/** A frame that is too large is refused by its announced size, with a code of the protocol (RFC 6455, 7.4.1); why, is said here. */
class ExplainedSocket extends WebSocket {
  override close(code?: number, reason?: string | Buffer): void {
    super.close(code, reason ?? (code === 1009 ? `HcaTooLarge: a frame has at most ${MAX_FRAME} bytes` : undefined));
  }
}

/** `touch` is called when something arrives. */
export interface SocketOptions {
  gate: Gate;
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
    WebSocket: ExplainedSocket,
    handleProtocols: (offered) => (offered.has(SUBPROTOCOL) ? SUBPROTOCOL : false),
  });
  server.on('upgrade', (request, stream, head) => {
    options.touch();
    // Until it is a WebSocket nobody else listens for its failures.
    const failed = (): void => void stream.destroy();
    stream.on('error', failed);
    void entering(request, options.gate).then((found) => {
      stream.off('error', failed);
      if (typeof found === 'string') return end(stream, found);
      sockets.handleUpgrade(request, stream, head, (socket) =>
        serve(socket, { local, caller: found, touch: options.touch, speaking }),
      );
    });
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

/** Who enters, or the status line of the refusal. */
const entering = async (request: IncomingMessage, gate: Gate): Promise<Caller | string> => {
  const found = gate.stranger(request) ?? (await gate.caller(request));
  if (isRefusal(found)) return `${found.status} ${STATUS_CODES[found.status] ?? 'Refused'}`;
  return request.url === '/acp' ? found : '404 Not Found';
};

const end = (stream: Duplex, status: string): void => {
  stream.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
};

type Serving = { local: LocalDoor; caller: Caller; touch: () => void; speaking: Set<AcpConnection> };

const serve = (socket: WebSocket, { local, caller, touch, speaking }: Serving): void => {
  const acp = acpOf(socket, { local, caller, speaking });
  const watches = watchesOf(socket, { follow: local.follow, peer: acp.peer });
  alive.add(socket);
  socket.on('pong', () => alive.add(socket));
  // What breaks the protocol is told with its code, and the connection ends by itself; what breaks the network is not.
  socket.on('error', () => {
    if (socket.readyState !== socket.CLOSING) socket.terminate();
  });
  socket.on('message', (bytes, isBinary) => {
    touch();
    alive.add(socket);
    if (isBinary) socket.close(1003, 'text frames only');
    else void receive(String(bytes), socket, { watches, acp });
  });
};

type Speaker = { open(): AcpConnection; peer(): Peer };

type Served = { watches: ReturnType<typeof watchesOf>; acp: Speaker };

/** The ACP side of a socket, made with its first ACP frame; before that a socket is nothing but its caller. */
const acpOf = (socket: WebSocket, { local, caller, speaking }: Omit<Serving, 'touch'>): Speaker => {
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
  return {
    open: () => {
      if (acp === undefined) {
        acp = acpConnection({ local, caller, send, broken });
        speaking.add(acp);
      }
      return acp;
    },
    peer: () => acp?.peer ?? { ...caller, connection: '', door: local.door, send },
  };
};

const Watched = z.object({ task: z.string(), cursor: z.string() });

const receive = async (text: string, socket: WebSocket, { watches, acp }: Served): Promise<void> => {
  const read = sizedFrame(text, acp.peer().door);
  if (read.kind === 'invalid') return socket.send(JSON.stringify(read.answer));
  if (read.kind !== 'request' || !isOwn(read)) return acp.open().receive(read);
  const answer = await respond(read.frame, acp.peer());
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
