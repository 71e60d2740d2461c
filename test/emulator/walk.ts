// Walks a named path on the endpoint's own Step Functions and reads back what happened from its history.
import {
  DescribeExecutionCommand,
  type HistoryEvent,
  paginateGetExecutionHistory,
  SendTaskFailureCommand,
  SendTaskSuccessCommand,
  type SFNClient,
  StartExecutionCommand,
} from '@aws-sdk/client-sfn';
import { vi } from 'vitest';
import { INPUT } from '#test/statemachines/named/embedded.ts';
import type { Move, NamedPath } from '#test/statemachines/named/path.ts';
import { Script, type Walked } from '#test/statemachines/named/script.ts';
import type { Json, Reply } from './stub-stack.ts';

/** Where no time is scaled, six retries of a call wait a minute. */
const PATIENCE_MS = 110_000;

/** Walks paths of machines whose functions answer with \`respond\`. */
export class Walker {
  readonly #client: SFNClient;
  readonly #open = new Map<string, Script>();
  readonly #run = Date.now().toString(36);

  constructor(client: SFNClient) {
    this.#client = client;
  }

  /** What a stub does, as the script of its execution says. */
  async respond(step: string, payload: Json): Promise<Reply> {
    const script = this.#open.get(String(payload.execution));
    if (script === undefined) return { fault: 'HcaStale' };
    const move = script.next(step, payload);
    await this.#answer(move, String(payload.token));
    return move.fault === undefined ? { output: move.output } : { fault: move.fault };
  }

  async walk(path: NamedPath, machine: string): Promise<Walked> {
    const name = `${this.#run}-${this.#open.size}`;
    const script = new Script(path, Date.now);
    this.#open.set(name, script);
    const { executionArn } = await this.#client.send(
      new StartExecutionCommand({ stateMachineArn: machine, name, input: JSON.stringify(INPUT) }),
    );
    const ended = await vi.waitFor(() => this.#ended(executionArn!), { timeout: PATIENCE_MS, interval: 100 });
    const states = await this.#states(executionArn!);
    return { ...ended, states, calls: script.calls, unexpected: script.unexpected };
  }

  async #answer({ wait, fault }: Move, taskToken: string): Promise<void> {
    if (fault !== undefined || wait === undefined || wait === 'lapses') return;
    if (wait === 'told') await this.#client.send(new SendTaskSuccessCommand({ taskToken, output: '{}' }));
    else await this.#client.send(new SendTaskFailureCommand({ taskToken, error: wait, cause: 'as scripted' }));
  }

  async #ended(executionArn: string): Promise<Pick<Walked, 'status' | 'error' | 'output'>> {
    const { status, error, output } = await this.#client.send(new DescribeExecutionCommand({ executionArn }));
    if (status === undefined || status === 'RUNNING') throw new Error('still running');
    return { status, error: error ?? null, output: status === 'SUCCEEDED' ? JSON.parse(output!) : null };
  }

  async #states(executionArn: string): Promise<Walked['states']> {
    const events: HistoryEvent[] = [];
    for await (const page of paginateGetExecutionHistory({ client: this.#client }, { executionArn })) {
      events.push(...(page.events ?? []));
    }
    return statesIn(events);
  }
}

/** The states entered, each with what it put out; its exit follows it, since those inside a Map are not in the list. */
function statesIn(events: readonly HistoryEvent[]): Walked['states'] {
  const exits = events.flatMap(({ stateExitedEventDetails: exit }) => (exit === undefined ? [] : [exit]));
  return events
    .flatMap(({ stateEnteredEventDetails: entered }) => (entered === undefined ? [] : [String(entered.name)]))
    .map((name, index, all) => {
      const before = all.slice(0, index).filter((other) => other === name).length;
      const exit = exits.filter((each) => each.name === name)[before];
      return { name, output: exit?.output === undefined ? null : JSON.parse(exit.output) };
    });
}
