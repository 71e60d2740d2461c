// The agent-servers of the tasks of a Fargate in memory: each sleeps until it is given a key, each at an address of its own.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { json } from 'node:stream/consumers';
import { afterAll } from 'vitest';

export type Tag = { key: string; value: string };
export type RigTask = {
  taskArn: string;
  startedBy: string;
  clientToken: string;
  lastStatus: string;
  desiredStatus: string;
  stoppedReason?: string;
  stopCode?: string;
  taskDefinitionArn: string;
  /** Seconds, as ECS says it. */
  createdAt: number;
  tags: Tag[];
  groups: string[];
  address: string;
  looks: number;
  /** What is in its environment, what its server was woken with, how long it has been idle (s), and whether it has stopped answering. */
  env: Readonly<Record<string, string>>;
  key: string | null;
  idle: number;
  mute: boolean;
};

/** Serves the task's agent-server until the file's tests are over. */
export const served = (task: RigTask, port: number): Promise<void> => listen(agentServer(task), port, task.address);

/** Answers as the real one does, which fargate-given.test.ts compares. */
function agentServer(task: RigTask): Server {
  return createServer((request, response) => {
    if (task.mute || task.lastStatus !== 'RUNNING') return void response.destroy();
    answer(task, request)
      .then(([status, body]) => response.writeHead(status).end(JSON.stringify(body)))
      .catch(() => response.destroy());
  });
}

async function answer(task: RigTask, request: IncomingMessage): Promise<[number, object]> {
  const open: Readonly<Record<string, () => [number, object] | Promise<[number, object]>>> = {
    'GET /server_info': () => [200, { idle_time: task.idle }],
    'GET /api/init': () => [200, { state: task.key === null ? 'dormant' : 'ready' }],
    'POST /api/init': () => woken(task, request),
  };
  const said = open[`${request.method} ${request.url}`];
  if (said !== undefined) return said();
  if (task.key === null) return [503, { detail: 'Internal Server Error' }];
  return request.headers['x-session-api-key'] === task.key ? [200, { home: '/home' }] : [401, {}];
}

/** Once it is woken its key is the one it was given. */
async function woken(task: RigTask, request: IncomingMessage): Promise<[number, object]> {
  const body = (await json(request)) as { session_api_keys: string[]; secret_key: string };
  if (request.headers['x-init-api-key'] !== (task.key ?? task.env.OH_SECRET_KEY)) return [401, {}];
  if (task.key !== null) return [400, { detail: 'server already in state: ready' }];
  task.key = body.session_api_keys[0] ?? null;
  return [200, { state: 'ready' }];
}

async function listen(server: Server, port: number, host: string): Promise<void> {
  server.listen(port, host);
  open.push(server);
  await once(server, 'listening');
}

/** A port that is free on this machine's first address; the tasks have addresses of their own. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.3.250');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

const open: Server[] = [];
afterAll(() => {
  for (const server of open.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});
