// Messages on an EventBridge bus: the shape that rules match on, batches, limits, and answers that take only a part (pitfalls of PutEvents).
import {
  CreateEventBusCommand,
  EventBridgeClient,
  PutRuleCommand,
  PutTargetsCommand,
} from '@aws-sdk/client-eventbridge';
import { CreateQueueCommand, GetQueueAttributesCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { describe, expect, test } from 'vitest';
import { eventbridgeMessages } from '#shared/adapters/aws/eventbridge-messages.ts';
import type { Message } from '#shared/contracts/messages.ts';
import { endpoints, freshName } from '#test/support/endpoint.ts';
import { type Asked, Exception, memoryAws } from '#test/support/memory-aws.ts';
import { cancel, delegate } from '../suites/samples.ts';

type Entry = Record<'Source' | 'DetailType' | 'Detail' | 'EventBusName' | 'TraceHeader', string>;

/** A bus that refuses what `refuses` says; `taken` are the ids of messages that it took. */
const busOf = (refuses: (id: string, attempt: number) => string | null = () => null) => {
  const taken: string[] = [];
  let attempt = 0;
  const { config, asked } = memoryAws(({ input }: Asked) => {
    attempt += 1;
    const results = (input.Entries as Entry[]).map(({ Detail }) => {
      const { id } = JSON.parse(Detail);
      const code = refuses(id, attempt);
      if (code === null) taken.push(id);
      return code === null ? { EventId: id } : { ErrorCode: code, ErrorMessage: 'of a test' };
    });
    return { Entries: results, FailedEntryCount: results.filter((one) => !('EventId' in one)).length };
  });
  const house = { client: new EventBridgeClient(config), bus: 'hca-dev' };
  const batches = () => asked.map(({ input }) => (input.Entries as Entry[]).length);
  return { house, messages: eventbridgeMessages(house), taken, asked, batches };
};

const many = (count: number): Message[] => Array.from({ length: count }, (_, n) => cancel(`m${n}`));
const ids = (messages: Message[]) => messages.map(({ id }) => id);
const large = (bytes: number) => delegate('large', { from: 'x'.repeat(bytes) });

describe('messages on EventBridge', () => {
  test('an event is the message word for word, under its method, from hca, in the trace of its invocation', async () => {
    const { house, asked } = busOf();
    const message = delegate('one');
    await eventbridgeMessages({ ...house, trace: () => 'Root=1-2-3' }).publish([message]);
    const [{ input }] = asked as [Asked];
    const [{ Detail, ...rest }] = input.Entries as [Entry];
    expect(JSON.parse(Detail)).toEqual(message);
    expect(rest).toEqual({
      EventBusName: 'hca-dev',
      Source: 'hca',
      DetailType: 'hca/task/delegate',
      TraceHeader: 'Root=1-2-3',
    });
  });

  test('many go ten at a time in their order, none makes no call', async () => {
    const { messages, taken, batches, asked } = busOf();
    await messages.publish([]);
    expect(asked).toEqual([]);
    await messages.publish(many(23));
    expect(batches()).toEqual([10, 10, 3]);
    expect(taken).toEqual(ids(many(23)));
  });

  test('a call never holds more bytes than the bus takes', async () => {
    const { messages, batches } = busOf();
    await messages.publish([large(100_000), large(100_000), large(100_000), cancel('small')]);
    expect(batches()).toEqual([2, 2]);
  });

  test('what is too large is refused by name before anything is sent', async () => {
    const { messages, asked } = busOf();
    const tooLarge = messages.publish([cancel('first'), large(256 * 1024)]);
    await expect(tooLarge).rejects.toMatchObject({ code: 'HcaTooLarge', message: expect.stringContaining('large') });
    expect(asked).toEqual([]);
  });

  test('of a batch that was taken in part only the rest is sent again', async () => {
    const { messages, taken, batches } = busOf((id, attempt) =>
      attempt === 1 && id !== 'm1' ? 'InternalFailure' : null,
    );
    await messages.publish(many(3));
    expect(batches()).toEqual([3, 2]);
    expect(taken.toSorted()).toEqual(ids(many(3)));
  });

  test.each([
    ['InternalFailure', 'HcaUnavailable'],
    ['ThrottlingException', 'HcaThrottled'],
  ])('one that is never taken (%s) is a fault to try again, whatever else was taken', async (code, fault) => {
    const { messages, taken } = busOf((id) => (id === 'm1' ? code : null));
    const publish = messages.publish(many(3));
    await expect(publish).rejects.toMatchObject({ code: fault, retryable: true, field: 'bus hca-dev' });
    expect(taken).toEqual(['m0', 'm2']);
  });

  test.each([
    ['ThrottlingException', 400, 'HcaThrottled'],
    ['InternalException', 500, 'HcaUnavailable'],
    ['ResourceNotFoundException', 400, 'HcaInternal'],
  ])('an answer of %s is a fault that names the bus', async (name, status, code) => {
    const { config } = memoryAws(() => {
      throw new Exception(name, status);
    });
    const messages = eventbridgeMessages({ client: new EventBridgeClient(config), bus: 'hca-dev' });
    await expect(messages.publish(many(1))).rejects.toMatchObject({ code, field: 'bus hca-dev' });
  });
});

for (const emulator of endpoints)
  test('on the emulator, a rule on a method gets its messages and no others', async () => {
    const [bus, client, sqs] = [freshName(), new EventBridgeClient(emulator), new SQSClient(emulator)];
    await client.send(new CreateEventBusCommand({ Name: bus }));
    const { QueueUrl } = await sqs.send(new CreateQueueCommand({ QueueName: bus }));
    const { Attributes } = await sqs.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['QueueArn'] }));
    const pattern = { source: ['hca'], 'detail-type': ['hca/task/cancel'] };
    await client.send(new PutRuleCommand({ Name: bus, EventBusName: bus, EventPattern: JSON.stringify(pattern) }));
    const target = { Id: 'queue', Arn: Attributes?.QueueArn };
    await client.send(new PutTargetsCommand({ Rule: bus, EventBusName: bus, Targets: [target] }));

    await eventbridgeMessages({ client, bus }).publish([delegate('other'), ...many(12)]);

    const got = new Set<string>();
    while (got.size < 12) {
      const receive = new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10, WaitTimeSeconds: 5 });
      const { Messages: letters = [] } = await sqs.send(receive);
      for (const { Body = '' } of letters) got.add(JSON.parse(Body).detail.id);
    }
    expect([...got].toSorted()).toEqual(ids(many(12)).toSorted());
  });
