// One HTTP request of a front: who asks, then a frame to the dispatcher or to ACP over event streams.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { dispatch, toRpcError } from '#functions/acp/step.ts';
import { FAULTS, HcaFault } from '#shared/contracts/errors.ts';
import { errorFrame, MAX_FRAME } from '#shared/protocols/acp/frame.ts';
import type { AcpHttp, HttpAnswer } from './acp-http.ts';
import { answerOrigin } from './cors.ts';
import type { LocalDoor } from './door.ts';
import { type Caller, type Gate, isRefusal } from './gate.ts';
import { sizedFrame } from './sized-frame.ts';

/** What a front answers with. */
export interface HttpFront {
  local: LocalDoor;
  acp: AcpHttp;
  gate: Gate;
  describes: ((called: string) => object) | undefined;
}

/** Answers, or leaves the response open as an event stream. */
export const answerHttp = async (
  request: IncomingMessage,
  response: ServerResponse,
  front: HttpFront,
): Promise<void> => {
  const stranger = front.gate.stranger(request);
  if (stranger !== undefined) return refuse(response, stranger.status, stranger.fault);
  if (answerOrigin(request, response)) return;
  if (request.method === 'GET' && front.describes !== undefined && request.url === DESCRIPTION)
    return reply(response, 200, front.describes(request.headers.host ?? ''));
  const caller = await front.gate.caller(request);
  if (isRefusal(caller)) return refuse(response, caller.status, caller.fault);
  return route(request, response, { ...front, caller });
};

/** RFC 9728: where one learns who gives tokens for this host. */
const DESCRIPTION = '/.well-known/oauth-protected-resource';

type Called = HttpFront & { caller: Caller };

const route = async (request: IncomingMessage, response: ServerResponse, front: Called): Promise<void> => {
  const { method, url } = request;
  const { acp, caller } = front;
  if (url === '/acp' && method === 'GET') return replyAcp(response, acp.get(request, response, caller));
  if (url === '/acp' && method === 'DELETE') return replyAcp(response, acp.remove(request, caller));
  if (method === 'POST' && (url === '/rpc' || url === '/acp')) return answerPost(request, response, front);
  refuse(response, 404, notHere(request));
};

const answerPost = async (request: IncomingMessage, response: ServerResponse, front: Called): Promise<void> => {
  const { local, acp, caller } = front;
  if (!/^application\/json\b/.test(request.headers['content-type'] ?? '')) return refuse(response, 415, notJson());
  const text = await bodyOf(request);
  if (text === undefined) return refuse(response, 413, tooLarge());
  const read = sizedFrame(text, local.door);
  if (read.kind === 'invalid') return reply(response, 400, read.answer);
  if (request.url === '/acp') return replyAcp(response, await acp.post(request, read, caller));
  if (read.kind !== 'request') return reply(response, 202, undefined);
  const frame = await dispatch(read.frame, caller.principal, local.door);
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
  response.setHeader('connection', 'close');
  if (status === 401) response.setHeader('www-authenticate', 'Bearer');
  reply(response, status, errorFrame(null, toRpcError(fault)));
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
