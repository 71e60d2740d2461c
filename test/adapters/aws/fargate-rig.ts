// Fargate as its API shows it, in memory: tasks that start after a few looks, each with an agent-server that sleeps until it is given a key.

import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { Readable } from 'node:stream';
import { json } from 'node:stream/consumers';
import { ECSClient } from '@aws-sdk/client-ecs';
import { afterAll } from 'vitest';
import {
  type FargateSandboxes,
  type FargateSandboxesOptions,
  fargateSandboxes,
} from '#shared/adapters/aws/fargate-sandboxes.ts';

/** Of every call that is used here. */
type Input = {
  startedBy?: string;
  clientToken?: string;
  task?: string;
  tasks?: string[];
  resourceArn?: string;
  reason?: string;
  tags?: Tag[];
  networkConfiguration?: { awsvpcConfiguration: { securityGroups: string[] } };
};
type Tag = { key: string; value: string };
export type RigTask = {
  taskArn: string;
  startedBy: string;
  clientToken: string;
  lastStatus: string;
  desiredStatus: string;
  stoppedReason?: string;
  tags: Tag[];
  groups: string[];
  address: string;
  looks: number;
  /** What its server was woken with, and how long it has been idle (s). */
  key: string | null;
  idle: number;
};

export const SECRET = 'the secret of the pool';

/** `starts_after`: looks until a task runs. `around`: a test may answer a call itself or throw. */
export class FargateRig {
  readonly tasks: RigTask[] = [];
  readonly sent: { call: string; input: Record<string, unknown> }[] = [];
  starts_after = 2;
  around: (call: string) => { status: number; body: object } | undefined = () => undefined;
  readonly #port: number;

  constructor(port: number) {
    this.#port = port;
  }

  sandboxes(extra: Partial<FargateSandboxesOptions> = {}): FargateSandboxes {
    const ecs = new ECSClient({
      region: 'eu-west-1',
      credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
      maxAttempts: 1,
      requestHandler: {
        handle: async (request: { headers: Record<string, string>; body: Uint8Array }) => this.#handle(request),
      },
    });
    const place = {
      ecs,
      cluster: 'c',
      definition: 'hca-test-sandbox',
      subnets: ['s-1'],
      group: 'g-closed',
      group_open: 'g-open',
    };
    return fargateSandboxes({
      ...place,
      tags: { 'hca:environment': 'test' },
      secret: async () => SECRET,
      port: this.#port,
      wait_ms: 5000,
      poll_ms: 1,
      ...extra,
    });
  }

  async #handle(request: { headers: Record<string, string>; body: Uint8Array }) {
    const call = request.headers['x-amz-target']?.split('.')[1] ?? '';
    const input = JSON.parse(Buffer.from(request.body).toString('utf8'));
    this.sent.push({ call, input });
    const { status, body } = this.around(call) ?? { status: 200, body: await this.#answer(call, input) };
    const headers = { 'content-type': 'application/x-amz-json-1.1' };
    return { response: { statusCode: status, headers, body: Readable.from([JSON.stringify(body)]) } };
  }

  async #answer(call: string, input: Input): Promise<object> {
    if (call === 'RunTask') return { tasks: [this.#view(await this.#run(input))], failures: [] };
    if (call === 'ListTasks') return { taskArns: this.#listed(input.startedBy).map(({ taskArn }) => taskArn) };
    const named = [input.task, input.resourceArn, ...(input.tasks ?? [])];
    const tasks = this.tasks.filter(({ taskArn }) => named.includes(taskArn));
    for (const task of tasks) change(task, call, input);
    return call === 'DescribeTasks' ? { tasks: tasks.map((task) => this.#look(task)) } : {};
  }

  #listed(startedBy: string | undefined): RigTask[] {
    const alive = this.tasks.filter((task) => task.desiredStatus === 'RUNNING');
    return startedBy === undefined ? alive : alive.filter((task) => task.startedBy === startedBy);
  }

  async #run(input: Input): Promise<RigTask> {
    const known = this.tasks.find(({ clientToken }) => clientToken === input.clientToken);
    if (known !== undefined) return known;
    const task: RigTask = {
      taskArn: `arn:task/${this.tasks.length}`,
      startedBy: input.startedBy ?? '',
      clientToken: input.clientToken ?? '',
      lastStatus: 'PROVISIONING',
      desiredStatus: 'RUNNING',
      tags: [...(input.tags ?? [])],
      groups: (input as unknown as { networkConfiguration: { awsvpcConfiguration: { securityGroups: string[] } } })
        .networkConfiguration.awsvpcConfiguration.securityGroups,
      address: `127.0.3.${this.tasks.length + 1}`,
      looks: 0,
      key: null,
      idle: 0,
    };
    this.tasks.push(task);
    await listen(agentServer(task), this.#port, task.address);
    return task;
  }

  #look(task: RigTask): object {
    task.looks += 1;
    if (task.desiredStatus === 'RUNNING' && task.looks >= this.starts_after) task.lastStatus = 'RUNNING';
    return this.#view(task);
  }

  #view({ address, looks, ...task }: RigTask): object {
    const details = looks > 0 ? [{ name: 'privateIPv4Address', value: address }] : [];
    return { ...task, attachments: [{ type: 'ElasticNetworkInterface', details }] };
  }
}

function change(task: RigTask, call: string, input: Input): void {
  if (call === 'TagResource') task.tags.push(...(input.tags ?? []));
  if (call !== 'StopTask') return;
  Object.assign(task, { desiredStatus: 'STOPPED', lastStatus: 'STOPPED', stoppedReason: input.reason });
}

function agentServer(task: RigTask): Server {
  return createServer((request, response) => {
    const said = task.lastStatus === 'RUNNING' ? answer(task, request) : Promise.resolve(ASLEEP);
    said.then(([status, body]) => response.writeHead(status).end(JSON.stringify(body))).catch(() => response.destroy());
  });
}

const ASLEEP: [number, object] = [503, {}];

async function answer(task: RigTask, request: IncomingMessage): Promise<[number, object]> {
  if (request.url === '/server_info') return [200, { idle_time: task.idle }];
  if (request.url === '/api/init') return woken(task, request);
  if (task.key === null) return ASLEEP;
  return request.headers['x-session-api-key'] === task.key ? [200, { home: '/home' }] : [401, {}];
}

async function woken(task: RigTask, request: IncomingMessage): Promise<[number, object]> {
  const body = (await json(request)) as { session_api_keys: string[] };
  if (request.headers['x-init-api-key'] !== SECRET) return [401, {}];
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
