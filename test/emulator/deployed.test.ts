// The deployed stack itself: a rule for each method, and nobody let in without a signature. Scenarios are in test/conformance.
import { randomUUID } from 'node:crypto';
import { DynamoDBClient, paginateScan } from '@aws-sdk/client-dynamodb';
import {
  DisableRuleCommand,
  EnableRuleCommand,
  EventBridgeClient,
  PutEventsCommand,
} from '@aws-sdk/client-eventbridge';
import { describe, expect, it, vi } from 'vitest';
import { type DetailType, Message } from '#shared/contracts/messages.ts';
import { stackOf } from '#test/conformance/hosts/stack.ts';

const BUS = 'hca-dev';
const PATIENCE = { timeout: 30_000, interval: 200 };

const ENVELOPE = {
  jsonrpc: '2.0',
  tenant: 'nobody',
  from: 'mission',
  to: 'engineering',
  task: 'task-of-nobody',
  root_task: 'task-of-nobody',
  hop: 0,
  caused_by: '',
  sent_at: 0,
  traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`,
} as const;

const SAID = {
  'hca/task/cancel': { params: { cause: 'a test of the rules' } },
  'hca/knowledge/contribute.result': { result: { lessons: [], credits: [] } },
} as const satisfies Partial<Record<DetailType, object>>;

describe.runIf(process.env.HCA_TEST_STACKS !== undefined)('the deployed stack', () => {
  const events = new EventBridgeClient({});

  /** Publishes as our adapter does; answers with the message's id. */
  const publish = async (method: keyof typeof SAID): Promise<string> => {
    const message = Message.parse({ ...ENVELOPE, id: randomUUID(), method, ...SAID[method] });
    const entry = { EventBusName: BUS, Source: 'hca', DetailType: method, Detail: JSON.stringify(message) };
    const { FailedEntryCount } = await events.send(new PutEventsCommand({ Entries: [entry] }));
    expect(FailedEntryCount).toBe(0);
    return message.id;
  };

  /** What a consumer has finished lies in its inbox. */
  const inboxes = async (): Promise<string> => {
    const found: unknown[] = [];
    for (const name of stackOf(process.env).tables)
      for await (const { Items } of paginateScan({ client: new DynamoDBClient({}) }, { TableName: name }))
        found.push(Items);
    return JSON.stringify(found);
  };
  const consumed = (id: string) => vi.waitFor(async () => expect(await inboxes()).toContain(id), PATIENCE);

  it('without one rule misses exactly that method', async () => {
    const rule = { Name: 'hca-dev-task-cancel', EventBusName: BUS };
    await consumed(await publish('hca/task/cancel'));
    await events.send(new DisableRuleCommand(rule));
    const missed = await publish('hca/task/cancel');
    await consumed(await publish('hca/knowledge/contribute.result'));
    await events.send(new EnableRuleCommand(rule));
    await consumed(await publish('hca/task/cancel'));
    expect(await inboxes()).not.toContain(missed);
  });

  it('lets nobody in without a signature', async () => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: '_hca/ping', params: {} });
    const answer = await fetch(`${stackOf(process.env).url}/rpc`, { method: 'POST', body });
    expect(answer.status).toBe(403);
  });
});
