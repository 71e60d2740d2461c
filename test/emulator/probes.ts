// Starts executions of the probe machines, answers their tokens, reads how they end.
import { CreateStackCommand, DeleteStackCommand, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import {
  DescribeExecutionCommand,
  GetExecutionHistoryCommand,
  type HistoryEvent,
  type SFNClient,
  StartExecutionCommand,
} from '@aws-sdk/client-sfn';
import { vi } from 'vitest';
import { cloudFormation, stepFunctions } from './endpoint.ts';
import { PROBE_MACHINES, STUBS } from './probe-machines.ts';
import { letterOf, publish, RULES } from './probe-rules.ts';
import { connectOnce, SOCKET_API } from './probe-socket.ts';
import { deployStubs, type Json, type Reply, type StubStack } from './stub-stack.ts';

export type Probe = keyof typeof PROBE_MACHINES;

/** What the stubs heard. */
interface Heard {
  tokens: string[];
  connected: Json[];
  /** Calls of `breaks`; what `hears` was told. */
  broken: number;
  ends: Json[];
}

export class Prober {
  readonly client: SFNClient;
  /** Tokens that `asks` was handed, in order. */
  readonly tokens: string[];
  /** What `connects` was called with. */
  readonly connected: Json[];
  readonly heard: Heard;
  readonly #stack: StubStack;
  readonly #endpoint: string;

  static async on(endpoint: string): Promise<Prober> {
    const heard: Heard = { tokens: [], connected: [], broken: 0, ends: [] };
    const stack = await deployStubs({
      endpoint,
      name: 'hca-probes',
      machines: PROBE_MACHINES,
      functions: STUBS,
      respond: (name, payload) => respond(name, payload, heard),
      more: {
        resources: { ...SOCKET_API.resources, ...RULES.resources },
        outputs: { ...SOCKET_API.outputs, ...RULES.outputs },
      },
    });
    return new Prober(endpoint, stack, heard);
  }

  constructor(endpoint: string, stack: StubStack, heard: Heard) {
    this.client = stepFunctions(endpoint);
    this.#endpoint = endpoint;
    this.#stack = stack;
    this.heard = heard;
    this.tokens = heard.tokens;
    this.connected = heard.connected;
  }

  async start(probe: Probe, name = `${probe}-${crypto.randomUUID()}`): Promise<string> {
    const { executionArn } = await this.client.send(
      new StartExecutionCommand({ stateMachineArn: this.#stack.machines[probe]!, name, input: '{}' }),
    );
    return executionArn!;
  }

  /** Its output, or the name of the error it failed with. */
  async end(executionArn: string): Promise<unknown> {
    const read = async () => {
      const ended = await this.client.send(new DescribeExecutionCommand({ executionArn }));
      if (ended.status === 'RUNNING') throw new Error(`${executionArn} still runs`);
      return ended;
    };
    const { status, output, error } = await vi.waitFor(read, { timeout: 20_000, interval: 100 });
    return status === 'SUCCEEDED' ? JSON.parse(output!) : `${status} ${error}`;
  }

  async run(probe: Probe): Promise<unknown> {
    return this.end(await this.start(probe));
  }

  /** A token that `asks` gets after this was called. */
  async token(begin: () => Promise<unknown>): Promise<string> {
    const before = this.tokens.length;
    await begin();
    const next = () => this.tokens[before] ?? Promise.reject(new Error('nobody asked'));
    return vi.waitFor(next, { timeout: 20_000, interval: 50 });
  }

  /** The event of a signed $connect. */
  async connect(): Promise<Json> {
    const before = this.connected.length;
    await connectOnce(this.#endpoint, this.#stack.machines.sockets!);
    const next = () => this.connected[before] ?? Promise.reject(new Error('nobody was called'));
    return vi.waitFor(next, { timeout: 20_000, interval: 50 });
  }

  /** What is left in a queue after an event that one of the rules matches. */
  async letter(type: 'breaks' | 'missing'): Promise<Json> {
    await publish(this.#endpoint, type);
    const queue = this.#stack.machines[type === 'breaks' ? 'broken' : 'nobodys']!;
    return letterOf(this.#endpoint, queue);
  }

  async history(executionArn: string): Promise<HistoryEvent[]> {
    const { events } = await this.client.send(new GetExecutionHistoryCommand({ executionArn, maxResults: 1000 }));
    return events ?? [];
  }

  /** The status of a stack with one resource, once it is made; the stack is deleted again. @throws what CloudFormation says to the template */
  async provision(resource: Json): Promise<string> {
    const client = cloudFormation(this.#endpoint);
    const StackName = `hca-probe-${crypto.randomUUID()}`;
    await client.send(
      new CreateStackCommand({ StackName, TemplateBody: JSON.stringify({ Resources: { It: resource } }) }),
    );
    const settled = async () => {
      const { Stacks } = await client.send(new DescribeStacksCommand({ StackName }));
      const status = String(Stacks?.[0]?.StackStatus);
      if (status.endsWith('IN_PROGRESS')) throw new Error(`${StackName} is ${status}`);
      return status;
    };
    const status = await vi.waitFor(settled, { timeout: 20_000, interval: 100 });
    await client.send(new DeleteStackCommand({ StackName }));
    return status;
  }

  close(): Promise<void> {
    return this.#stack.close();
  }
}

async function respond(name: string, payload: Json, heard: Heard): Promise<Reply> {
  if (name === 'breaks') heard.broken += 1;
  if (name === 'hears') heard.ends.push(payload);
  if (name === 'throws' || name === 'breaks') return { fault: 'HcaConflict' };
  if (name === 'asks') heard.tokens.push(String(payload.token));
  if (name === 'connects') heard.connected.push(payload);
  if (name === 'slow') await new Promise((done) => setTimeout(done, 2_000));
  return { output: name === 'connects' ? { statusCode: 200 } : payload };
}
