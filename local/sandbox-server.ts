// `hca sandbox-server`: the embedded sandbox behind the REST interface of an OpenHands agent-server, for tests, the emulator and self-hosting
// (architecture 9 Sandbox). One process per folder; loopback unless told otherwise; nobody works here without the key.
import { mkdirSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import path from 'node:path';
import { HcaFault } from '#shared/contracts/errors.ts';
import { ownHosts, sameSecret, strangerRefusal } from './guard.ts';
import { takeLock } from './lock.ts';
import { Refused, refusalOf } from './sandbox-server-refusal.ts';
import { type Reply, type Routes, routesOf } from './sandbox-server-routes.ts';
import { ServedSessions } from './sandbox-server-sessions.ts';

/** `names`: what clients may call this server besides its loopback addresses, as their Host header says it. `port`: 0 takes a free one. */
export interface SandboxServerOptions {
  folder: string;
  key: string;
  version: string;
  port?: number;
  listen?: string;
  names?: readonly string[];
  network?: boolean;
  bubblewrap?: boolean;
}

export interface SandboxServer {
  url: string;
  port: number;
  /** Folder that clients work below. */
  home: string;
  kind: 'bubblewrap' | 'process-group';
  /** Ends what runs; the sessions stay in the folder. */
  close(): Promise<void>;
}

/** Headers and a request line come at once, a body within minutes. */
const TIMES = { headersTimeout: 30_000, requestTimeout: 600_000 };

/** @throws HcaFault HcaUnavailable when another server has the folder or the port */
export const startSandboxServer = async (options: SandboxServerOptions): Promise<SandboxServer> => {
  const { folder, key, version, listen = '127.0.0.1', names = [], network = false, bubblewrap } = options;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const lock = takeLock(path.join(folder, 'server.lock'));
  if (lock === undefined) throw taken(`another sandbox server works in ${folder}`, 'end it, or give another --home');
  const sessions = new ServedSessions({ folder, network, ...(bubblewrap === undefined ? {} : { bubblewrap }) });
  const routes = routesOf(sessions, version);
  const server = createServer(TIMES, (request, response) => {
    const hosts = [...ownHosts(portOf(server)), ...names];
    answer(request, response, { routes, key, hosts }).catch(() => response.destroy());
  });
  await listening(server, options.port ?? 0, listen).catch((error: unknown) => {
    lock.release();
    throw error;
  });
  const port = portOf(server);
  return {
    url: `http://${listen.includes(':') ? `[${listen}]` : listen}:${port}`,
    port,
    home: sessions.home,
    kind: sessions.kind,
    close: once(async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
      await sessions.close();
      lock.release();
    }),
  };
};

/** Whoever asks again gets the same end. */
const once = (work: () => Promise<void>): (() => Promise<void>) => {
  let done: Promise<void> | undefined;
  return () => {
    done ??= work();
    return done;
  };
};

const portOf = (server: Server): number => {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
};

const listening = (server: Server, port: number, listen: string): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', (cause) =>
      reject(taken(`cannot listen on ${listen}:${port}: ${cause.message}`, 'give another --port or --listen')),
    );
    server.listen(port, listen, resolve);
  });

const taken = (message: string, remedy: string): HcaFault =>
  new HcaFault('HcaUnavailable', { message, field: 'sandbox-server', remedy, retryable: false });

type Front = { routes: Routes; key: string; hosts: readonly string[] };

const answer = async (request: IncomingMessage, response: ServerResponse, front: Front): Promise<void> => {
  try {
    const stranger = strangerRefusal(request, front.hosts);
    if (stranger !== undefined) throw new Refused(stranger.status, stranger.fault.message);
    reply(response, await route(request, front));
  } catch (error) {
    const { status, detail } = refusalOf(error);
    if (status === 500) console.error(error);
    // The rest of a refused body is not read: the connection ends with the answer.
    if (!request.complete) response.setHeader('connection', 'close');
    response.statusCode = status;
    reply(response, { type: 'application/json', body: JSON.stringify({ detail }) });
  }
};

const route = async (request: IncomingMessage, { routes, key }: Front): Promise<Reply> => {
  const url = new URL(request.url ?? '/', 'http://host');
  if (url.pathname.startsWith('/api/') && !hasKey(request, key)) throw new Refused(401, 'Unauthorized');
  const exact = routes.get(`${request.method} ${url.pathname}`);
  const folder = url.pathname.slice(0, url.pathname.lastIndexOf('/') + 1);
  const serve = exact ?? routes.get(`${request.method} ${folder}`);
  if (serve === undefined)
    throw isKnown(routes, url.pathname) ? new Refused(405, 'Method Not Allowed') : new Refused(404, 'Not Found');
  return serve({ request, query: url.searchParams, rest: url.pathname.slice(folder.length) });
};

/** Served with another method. */
const isKnown = (routes: Routes, path: string): boolean =>
  [...routes.keys()].some((known) => known.split(' ')[1] === path);

const hasKey = ({ headers }: IncomingMessage, key: string): boolean => {
  const given = headers['x-session-api-key'];
  return typeof given === 'string' && sameSecret(given, key);
};

const reply = (response: ServerResponse, { type, body, name }: Reply): void => {
  response.setHeader('content-type', type);
  response.setHeader('cache-control', 'no-store');
  response.setHeader('x-content-type-options', 'nosniff');
  if (name !== undefined)
    response.setHeader('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(name)}`);
  response.end(body);
};
