// ACP over Streamable HTTP on loopback (protocols 5.4, experimental there): POST brings a frame, its answer and everything else comes as
// server-sent events, one stream for the connection and one for each session. What is kept here is the transport's and nothing of the protocol.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ReadFrame } from '#shared/protocols/acp/frame.ts';
import { type AcpConnection, acpConnection } from './acp-connection.ts';
import type { LocalDoor } from './door.ts';
import { type EventStreams, eventStreams } from './event-streams.ts';
import type { Caller } from './gate.ts';

/** A connection without any stream is given up after this long. */
const ALONE_MS = 60_000;
/** More connections than this on one machine are a mistake of some client. */
const MOST = 500;

/** What became of a request: a status, and a body or a header if it has one. `streaming`: the response stays open. */
export interface HttpAnswer {
  status: number;
  body?: unknown;
  connection?: string;
  streaming?: true;
}

interface Held {
  acp: AcpConnection;
  streams: EventStreams;
}

export interface AcpHttp {
  post(request: IncomingMessage, frame: ReadFrame, caller: Caller): Promise<HttpAnswer>;
  get(request: IncomingMessage, response: ServerResponse, caller: Caller): HttpAnswer;
  remove(request: IncomingMessage, caller: Caller): HttpAnswer;
  count(): number;
  close(): Promise<void>;
}

export const acpHttp = (local: LocalDoor): AcpHttp => {
  const held = new Map<string, Held>();
  const drop = async (id: string): Promise<void> => {
    const found = held.get(id);
    held.delete(id);
    found?.streams.close();
    return found?.acp.close();
  };
  /** A connection of somebody else does not exist. */
  const find = (request: IncomingMessage, caller: Caller): Held | undefined => {
    const found = held.get(header(request, 'acp-connection-id') ?? '');
    return found !== undefined && isSame(found.acp.peer.principal, caller.principal) ? found : undefined;
  };
  return {
    count: () => held.size,
    close: async () => {
      await Promise.all([...held.keys()].map(drop));
    },
    post: async (request, frame, caller) => {
      const found = find(request, caller);
      if (found !== undefined) return accept(found, frame, caller);
      const status = header(request, 'acp-connection-id') === undefined ? refusedFirst(frame, held.size) : 404;
      return status === undefined ? begin({ local, held, drop, caller }, frame) : { status };
    },
    get: (request, response, caller) => {
      const found = find(request, caller);
      if (found === undefined) return { status: 404 };
      if (!/text\/event-stream/.test(header(request, 'accept') ?? '')) return { status: 406 };
      found.streams.open(header(request, 'acp-session-id') ?? null, response);
      return { status: 200, streaming: true };
    },
    remove: (request, caller) => {
      const found = find(request, caller);
      if (found === undefined) return { status: 404 };
      void drop(found.acp.id);
      return { status: 202 };
    },
  };
};

/** Why a frame cannot be the first of a connection, as an HTTP status. */
const refusedFirst = (frame: ReadFrame, open: number): number | undefined => {
  if (frame.kind !== 'request' || frame.frame.method !== 'initialize') return 400;
  return open >= MOST ? 503 : undefined;
};

/** What follows from a frame comes as events; the sender is told only that it arrived. */
const accept = ({ acp }: Held, frame: ReadFrame, caller: Caller): HttpAnswer => {
  // Each request brings its own token; one that ends later takes the place of the one before it.
  if (caller.expires_at !== null) void acp.renew(caller);
  void acp.receive(frame);
  return { status: 202 };
};

const isSame = (one: Caller['principal'], other: Caller['principal']): boolean =>
  one.tenant === other.tenant && one.subject === other.subject;

type All = { local: LocalDoor; caller: Caller; held: Map<string, Held>; drop(id: string): Promise<void> };

/** The answer to `initialize` is the body, because there is no stream yet. */
const begin = async ({ local, held, drop, caller }: All, frame: ReadFrame): Promise<HttpAnswer> => {
  const first = Promise.withResolvers<object>();
  const state = { isAnswered: false };
  const streams = eventStreams({ alone: ALONE_MS, abandoned: () => void drop(acp.id) });
  const send = async (out: object, session: string | null): Promise<void> => {
    if (state.isAnswered) return streams.send(out, session);
    state.isAnswered = true;
    first.resolve(out);
  };
  const acp = acpConnection({ local, caller, send, broken: () => void drop(acp.id) });
  held.set(acp.id, { acp, streams });
  void acp.receive(frame);
  return { status: 200, body: await first.promise, connection: acp.id };
};

const header = (request: IncomingMessage, name: string): string | undefined => {
  const value = request.headers[name];
  return typeof value === 'string' && value.length <= 200 ? value : undefined;
};
