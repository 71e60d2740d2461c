// Fargate as its API shows it, in memory: tasks that start after a few looks, each with an agent-server that sleeps until it is given a key.

import { Readable } from 'node:stream';
import { ECSClient } from '@aws-sdk/client-ecs';
import { keepPool, type PoolUpkeep } from '#shared/adapters/aws/fargate-pool.ts';
import { type FargateSandboxesOptions, fargateSandboxes } from '#shared/adapters/aws/fargate-sandboxes.ts';
import type { AgentServers } from '#shared/ports/agent-servers.ts';
import { type RigTask, served, type Tag } from './fargate-servers.ts';

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
  overrides?: { containerOverrides: { environment: { name: string; value: string }[] }[] };
  taskDefinition?: string;
};
export const SECRET = 'the secret of the pool';

/** `starts_after`: looks until a task runs. `around`: a test may answer a call itself or throw. */
export class FargateRig {
  readonly tasks: RigTask[] = [];
  readonly sent: { call: string; input: Record<string, unknown> }[] = [];
  starts_after = 2;
  /** Whether it no longer describes what has ended. */
  forgets = false;
  around: (call: string) => { status: number; body: object } | undefined = () => undefined;
  readonly #port: number;
  readonly #serve: (task: RigTask, port: number) => Promise<void>;

  constructor(port: number, serve = served) {
    this.#port = port;
    this.#serve = serve;
  }

  sandboxes(extra: Partial<FargateSandboxesOptions> = {}): AgentServers {
    return fargateSandboxes({ ...this.#place(), ...extra });
  }

  upkeep(asked: PoolUpkeep, extra: Partial<FargateSandboxesOptions> = {}): ReturnType<typeof keepPool> {
    return keepPool({ ...this.#place(), ...extra }, asked);
  }

  client(): ECSClient {
    return new ECSClient({
      region: 'eu-west-1',
      credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
      maxAttempts: 1,
      requestHandler: {
        handle: async (request: { headers: Record<string, string>; body: Uint8Array }) => this.#handle(request),
      },
    });
  }

  #place(): FargateSandboxesOptions {
    return {
      ecs: this.client(),
      cluster: 'c',
      definition: 'hca-test-sandbox',
      subnets: ['s-1'],
      group: 'g-closed',
      group_open: 'g-open',
      tags: { 'hca:environment': 'test' },
      secret: async () => SECRET,
      port: this.#port,
      wait_ms: 5000,
      poll_ms: 1,
    };
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
    const known = tasks.filter((task) => !this.forgets || task.desiredStatus === 'RUNNING');
    return call === 'DescribeTasks' ? { tasks: known.map((task) => this.#look(task)) } : {};
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
      taskDefinitionArn: input.taskDefinition ?? '',
      createdAt: Math.floor(Date.now() / 1000),
      groups: input.networkConfiguration?.awsvpcConfiguration.securityGroups ?? [],
      env: Object.fromEntries(
        (input.overrides?.containerOverrides[0]?.environment ?? []).map(({ name, value }) => [name, value]),
      ),
      address: `127.0.3.${this.tasks.length + 1}`,
      looks: 0,
      key: null,
      idle: 0,
      mute: false,
    };
    this.tasks.push(task);
    await this.#serve(task, this.#port);
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
  const { tags = [], reason } = input;
  if (call === 'TagResource')
    task.tags = [...task.tags.filter(({ key }) => !tags.some((tag) => tag.key === key)), ...tags];
  if (call === 'StopTask') end(task, reason ?? '', 'UserInitiated');
}

/** A task as ECS shows it after its end. */
export const end = (task: RigTask, stoppedReason: string, stopCode: string): void => {
  Object.assign(task, { desiredStatus: 'STOPPED', lastStatus: 'STOPPED', stoppedReason, stopCode });
};
