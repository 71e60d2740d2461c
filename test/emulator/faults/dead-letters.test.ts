// What a function called by the bus fails on, and what a rule cannot deliver: kept in a queue, listed at the door with a reason, delivered again when the
// cause is mended, and in nobody's way meanwhile. The cause here is a variable that is missing, which the function says when it starts.
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { DeleteMessageCommand, ReceiveMessageCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { VARIABLES } from '#shared/contracts/storage.ts';
import { stackOf } from '#test/conformance/hosts/stack.ts';
import type { House } from '#test/conformance/house.ts';
import { lettersOf, onceOnly, openDeployedHouse } from './deployed-house.ts';
import { setVariables } from './lambda.ts';

const PATIENCE = { timeout: 30_000, interval: 300 };
const MISSING = VARIABLES.table('waits');
const ACCEPT = 'certify: accept';

describe.runIf(process.env.HCA_TEST_STACKS !== undefined)('a dead letter of the deployed stack', () => {
  const queue = new SQSClient({});
  const url = stackOf(process.env).letters;
  let house: House;
  beforeAll(async () => {
    house = await openDeployedHouse();
  });
  afterAll(() => house.close());

  const letters = (count: number) =>
    vi.waitFor(async () => {
      const found = await lettersOf(house);
      expect(found).toHaveLength(count);
      return found;
    }, PATIENCE);
  const redrive = (id: string) => house.door().call('_hca/dead-letter/redrive', { id });

  it('is what no function understands, and keeps no other message from being handled', async () => {
    const poison = {
      Source: 'hca',
      DetailType: 'hca/task/delegate',
      Detail: '{"jsonrpc":"2.0"}',
      EventBusName: 'hca-dev',
    };
    await new EventBridgeClient({}).send(new PutEventsCommand({ Entries: [poison, poison] }));
    expect((await house.run(ACCEPT)).view.outcome).toBe('accepted');
    for (const letter of await letters(2))
      expect(letter).toMatchObject({
        method: 'hca/task/delegate',
        attempts: 3,
        reason: expect.stringMatching(/^hca-dev-answer failed with HcaBadInput: answer: /),
      });
    expect(await redrive('all')).toEqual({ redriven: 2 });
    expect(await lettersOf(house)).toEqual([]);
  });

  it('is what failed for want of a variable, by its name, and goes on once that is mended', async () => {
    const mend = await setVariables('hca-dev-route', ({ [MISSING]: _gone, ...others }) => others);
    const task = await house.submit(ACCEPT);
    const failed = await letters(2).finally(mend);
    for (const letter of failed)
      expect(letter).toMatchObject({ task, attempts: 3, reason: expect.stringContaining('hca-dev-route failed with') });
    // Of two that start at once the emulator ends one itself, without a word.
    expect(failed.map(({ reason }) => reason).join()).toContain(`the environment variable ${MISSING} is not set`);
    expect(failed.map(({ method }) => method).sort()).toEqual(['hca/task/delegate.result', 'hca/task/negotiate']);
    await asOfARule();
    const undelivered = expect.objectContaining({
      reason: 'NO_PERMISSIONS: the function may not be called',
      attempts: 186,
    });
    expect(await letters(2)).toContainEqual(undelivered);
    expect(await redrive('all')).toEqual({ redriven: 2 });
    const ran = await house.ended(task);
    expect(ran.view.outcome).toBe('accepted');
    onceOnly(ran);
    expect([await lettersOf(house), await redrive('all')]).toEqual([[], { redriven: 0 }]);
  });

  /** One letter of a function, put back as AWS documents those of a rule: the event itself, and why in attributes. */
  const asOfARule = async (): Promise<void> => {
    const { Messages: [letter] = [] } = await queue.send(new ReceiveMessageCommand({ QueueUrl: url }));
    const { requestPayload } = JSON.parse(letter!.Body!);
    const why = {
      ERROR_CODE: 'NO_PERMISSIONS',
      ERROR_MESSAGE: 'the function may not be called',
      RETRY_ATTEMPTS: '185',
      EXHAUSTED_RETRY_CONDITION: 'MaximumRetryAttempts',
    };
    const MessageAttributes = Object.fromEntries(
      Object.entries(why).map(([name, StringValue]) => [name, { DataType: 'String', StringValue }]),
    );
    const again = { QueueUrl: url, MessageBody: JSON.stringify(requestPayload), MessageAttributes };
    await queue.send(new SendMessageCommand(again));
    await queue.send(new DeleteMessageCommand({ QueueUrl: url, ReceiptHandle: letter!.ReceiptHandle }));
  };
});
