// The local front of the northbound door: HTTP (`POST /rpc`, one frame in, its answer out; `/acp`, ACP with
// event streams) and WebSocket (`/acp`) on loopback only.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { dispatch, toRpcError } from '#functions/acp/step.ts';
import { FAULTS, HcaFault } from '#shared/contracts/errors.ts';
import { errorFrame, MAX_FRAME, RPC, readFrame } from '#shared/protocols/acp/frame.ts';
import { type AcpHttp, acpHttp, type HttpAnswer } from './acp-http.ts';
import type { LocalDoor } from './door.ts';
import { refusalOf } from './guard.ts';
import { acceptSockets } from './sockets.ts';

export interface LocalServer {
  port: number;
  /** Open WebSockets, and when the last request came (ms), for going idle. */
  activity(): { sockets: number; last: number };
  close(): Promise<void>;
}

/** Listens on a free port of the loopback interface. */
export const startServer = async (token: string, local: LocalDoor): Promise<LocalServer> => {
  const state = { last: Date.now() };
  const touch = (): void => {
    state.last = Date.now();
  };
  const acp = acpHttp(local);
  const server = createServer((request, response) => {
    touch();
    answer(request, response, { local, acp, guard: { token, port: portOf(server) } }).catch(() => response.destroy());
  });
  const sockets = acceptSockets(server, local, { guard: () => ({ token, port: portOf(server) }), touch });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    port: portOf(server),
    activity: () => ({ sockets: sockets.count() + acp.count(), last: state.last }),
    close: async () => {
      await Promise.all([sockets.close(), acp.close()]);
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
};

const portOf = (server: Server): number => {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
};

type Fronts = { local: LocalDoor; acp: AcpHttp; guard: { port: number; token: string } };

const answer = async (request: IncomingMessage, response: ServerResponse, fronts: Fronts): Promise<void> => {
  const refusal = refusalOf(request, fronts.guard);
  if (refusal !== undefined) return refuse(response, refusal.status, refusal.fault);
  const { method, url } = request;
  if (url === '/acp' && method === 'GET') return replyAcp(response, fronts.acp.get(request, response));
  if (url === '/acp' && method === 'DELETE') return replyAcp(response, fronts.acp.remove(request));
  if (method === 'POST' && (url === '/rpc' || url === '/acp')) return answerPost(request, response, fronts);
  refuse(response, 404, notHere(request));
};

const answerPost = async (
  request: IncomingMessage,
  response: ServerResponse,
  { local, acp }: Fronts,
): Promise<void> => {
  if (!/^application\/json\b/.test(request.headers['content-type'] ?? '')) return refuse(response, 415, notJson());
  const text = await bodyOf(request);
  if (text === undefined) return refuse(response, 413, tooLarge());
  const read = readFrame(text);
  if (read.kind === 'invalid') return reply(response, 400, read.answer);
  if (request.url === '/acp') return replyAcp(response, await acp.post(request, read));
  if (read.kind !== 'request') return reply(response, 202, undefined);
  const frame = await dispatch(read.frame, local.principal, local.door);
  reply(response, statusOf(frame), frame);
};

const replyAcp = (response: ServerResponse, { status, body, connection, streaming }: HttpAnswer): void => {
  if (streaming === true) return;
  if (connection !== undefined) response.setHeader('acp-connection-id', connection);
  reply(response, status, body);
};

/** The text of a body, or undefined when it is larger than a frame may be; what follows is not read. */
const bodyOf = async (request: IncomingMessage): Promise<string | undefined> => {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of request) {
    bytes += piece.length;
    if (bytes > MAX_FRAME) return undefined;
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
};

const statusOf = (frame: { error?: { data?: { code: string } | undefined } } | { result: unknown }): number => {
  if (!('error' in frame)) return 200;
  const code = frame.error?.data?.code ?? '';
  return Object.entries(FAULTS).find(([name]) => name === code)?.[1].http ?? 500;
};

const reply = (response: ServerResponse, status: number, frame: unknown): void => {
  const body = frame === undefined ? '' : JSON.stringify(frame);
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(body);
};

/** The rest of a refused body is not read: the connection ends with the answer. */
const refuse = (response: ServerResponse, status: number, fault: HcaFault): void => {
  const error = status === 401 ? { ...toRpcError(fault), code: RPC.unauthenticated } : toRpcError(fault);
  response.setHeader('connection', 'close');
  reply(response, status, errorFrame(null, error));
};

const notHere = (request: IncomingMessage): HcaFault =>
  new HcaFault('HcaNotFound', {
    message: `there is nothing at ${request.method ?? ''} ${(request.url ?? '').slice(0, 100)}`,
    remedy: 'POST a JSON-RPC frame to /rpc, or open a WebSocket at /acp',
  });

const notJson = (): HcaFault =>
  new HcaFault('HcaBadInput', {
    message: 'the body is not JSON',
    field: 'Content-Type',
    remedy: 'send application/json',
  });

const tooLarge = (): HcaFault =>
  new HcaFault('HcaTooLarge', {
    message: `the request is larger than ${MAX_FRAME} bytes`,
    field: 'body',
    remedy: 'send less: a goal has at most 16,000 characters, a criteria file at most 64 entries',
  });
