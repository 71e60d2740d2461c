// A front of the northbound door: HTTP (`POST /rpc`, one frame in, its answer out; `/acp`, ACP with event streams) and WebSocket (`/acp`). The home's
// own listens on loopback; one for others where it is told to, with TLS or behind a proxy that has it.
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { Principal } from '#shared/contracts/acp-host.ts';
import { acpHttp } from './acp-http.ts';
import { answerHttp } from './answer-http.ts';
import type { LocalDoor } from './door.ts';
import { type Gate, homeGate } from './gate.ts';
import { acceptSockets } from './sockets.ts';

export interface LocalServer {
  port: number;
  /** Open WebSockets, and when the last request came (ms), for going idle. */
  activity(): { sockets: number; last: number };
  close(): Promise<void>;
}

/** Where a front listens and whom it lets in. `describes`: what it says to anybody, who calls it by a name of its own, about who gives tokens for it. */
export interface Front {
  host: string;
  port: number;
  gate(port: () => number): Gate;
  tls?: { cert: string; key: string };
  describes?: (called: string) => object;
}

/** The home's own front: on loopback, on a free port, for whoever has the token file. */
export const homeFront = (token: string, owner: Principal): Front => ({
  host: '127.0.0.1',
  port: 0,
  gate: (port) => homeGate(token, owner, port),
});

/** Listens. @throws Error as the system says it (EADDRINUSE, EACCES) */
export const startServer = async (local: LocalDoor, front: Front): Promise<LocalServer> => {
  const state = { last: Date.now() };
  const touch = (): void => {
    state.last = Date.now();
  };
  const acp = acpHttp(local);
  const gate = front.gate(() => portOf(server));
  const server = serverOf(front, (request, response) => {
    touch();
    answerHttp(request, response, { local, acp, gate, describes: front.describes }).catch(() => response.destroy());
  });
  const sockets = acceptSockets(server, local, { gate, touch });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(front.port, front.host, resolve);
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

const serverOf = ({ tls }: Front, listener: RequestListener<typeof IncomingMessage>): Server =>
  tls === undefined ? createServer(listener) : createSecureServer(tls, listener);

const portOf = (server: Server): number => {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
};
