// Dead letters in a queue: from rules and from functions, listed whole without losing any, redriven through the bus, each tenant its own.
import { createHash } from 'node:crypto';
import { CreateQueueCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { describe, expect, test } from 'vitest';
import { sqsDeadLetters } from '#shared/adapters/aws/sqs-dead-letters.ts';
import type { Message } from '#shared/contracts/messages.ts';
import { endpoints, freshName } from '#test/support/endpoint.ts';
import { type Asked, memoryAws } from '#test/support/memory-aws.ts';
import { cancel, TENANT } from '../suites/samples.ts';

const event = (message: object) => ({ id: 'e', source: 'hca', 'detail-type': 'hca/task/cancel', detail: message });

/** As a rule leaves it that could not call its function. */
const fromRule = (message: object) => ({
  Body: JSON.stringify(event(message)),
  MessageAttributes: {
    ERROR_CODE: { StringValue: 'NO_PERMISSIONS', DataType: 'String' },
    ERROR_MESSAGE: { StringValue: 'not allowed', DataType: 'String' },
    RETRY_ATTEMPTS: { StringValue: '2', DataType: 'String' },
  },
});

/** As Lambda leaves it when a function threw each time. */
const fromFunction = (payload: object) => ({
  Body: JSON.stringify({
    version: '1.0',
    requestContext: {
      requestId: 'r',
      functionArn: 'arn:aws:lambda:us-east-1:1:function:hca-dev-route:$LATEST',
      condition: 'RetriesExhausted',
      approximateInvokeCount: 3,
    },
    requestPayload: payload,
    responseContext: { statusCode: 200, executedVersion: '$LATEST', functionError: 'Unhandled' },
    responsePayload: { errorType: 'HcaCorrupt', errorMessage: 'the record is damaged', trace: [] },
  }),
});

const schedule = { version: '0', source: 'aws.scheduler', 'detail-type': 'Scheduled Event', detail: {} };

interface Letter {
  Body: string;
  MessageAttributes?: object;
}

/** A queue that gives three letters at a time and hides what it gave. */
const queueOf = (...bodies: Letter[]) => {
  const letters = bodies.map((one, n) => ({
    ...one,
    MD5OfBody: md5(one.Body),
    MessageId: `q${n}`,
    ReceiptHandle: `r${n}`,
  }));
  const hidden = new Set<string>();
  const deleted: string[] = [];
  const receive = () => {
    const shown = letters.filter(({ ReceiptHandle: id }) => !hidden.has(id) && !deleted.includes(id)).slice(0, 3);
    for (const { ReceiptHandle } of shown) hidden.add(ReceiptHandle);
    return { Messages: shown.map((one, at) => ({ ...one, Attributes: { SentTimestamp: String(1000 - at) } })) };
  };
  const { config } = memoryAws(({ operation, input }: Asked) => {
    if (operation === 'ReceiveMessage') return receive();
    const handles = (input.Entries as { ReceiptHandle: string }[]).map(({ ReceiptHandle }) => ReceiptHandle);
    if (operation === 'DeleteMessageBatch') deleted.push(...handles);
    else for (const handle of handles) hidden.delete(handle);
    return { Successful: [], Failed: [] };
  });
  const said: Message[] = [];
  const messages = { publish: async (some: readonly Message[]) => void said.push(...some) };
  const about = { client: new SQSClient(config), queue: 'https://queue', messages, tenant: () => TENANT };
  return { letters: sqsDeadLetters(about), about, said, hidden, deleted };
};

const md5 = (text: string): string => createHash('md5').update(text).digest('hex');

describe('dead letters', () => {
  test('say what they were, where to, and why they died; none is hidden by being looked at', async () => {
    const { letters, hidden, deleted } = queueOf(
      fromRule(cancel('m1')),
      fromFunction(event(cancel('m2'))),
      fromFunction(schedule),
      { Body: 'no JSON' },
    );
    const common = { method: 'hca/task/cancel', to: 'code', task: cancel('m').task };
    const rows = await letters.list();
    expect(rows).toHaveLength(4);
    expect(rows).toContainEqual({ ...common, id: 'm1', reason: 'NO_PERMISSIONS: not allowed', attempts: 3, at: 1000 });
    const reason = 'hca-dev-route failed with HcaCorrupt: the record is damaged';
    expect(rows).toContainEqual({ ...common, id: 'm2', reason, attempts: 3, at: 999 });
    expect(rows).toContainEqual(expect.objectContaining({ id: 'q2', method: 'Scheduled Event', to: '' }));
    expect(rows).toContainEqual(expect.objectContaining({ id: 'q3', method: 'wake-up' }));
    expect(rows.map(({ at }) => at)).toEqual([998, 999, 1000, 1000]);
    expect([hidden.size, deleted]).toEqual([0, []]);
  });

  test('one is said again word for word and taken out, the others stay', async () => {
    const { letters, said, hidden, deleted } = queueOf(...['m1', 'm2', 'm3', 'm4'].map((id) => fromRule(cancel(id))));
    expect(await letters.redrive('m4')).toBe(1);
    expect(said).toEqual([cancel('m4')]);
    expect([deleted, [...hidden]]).toEqual([['r3'], ['r3']]);
    expect(await letters.redrive('m4')).toBe(0);
  });

  test('all of them; a wake-up is only taken out', async () => {
    const { letters, said, deleted } = queueOf(
      ...Array.from({ length: 12 }, (_, n) => fromRule(cancel(`m${n}`))),
      fromFunction(schedule),
    );
    expect(await letters.redrive('all')).toBe(13);
    expect(said).toHaveLength(12);
    expect(deleted).toHaveLength(13);
  });

  test('a letter of another tenant is neither seen nor said', async () => {
    const theirs = fromRule({ ...cancel('m1'), tenant: 'another' });
    const { letters, said, deleted, hidden } = queueOf(theirs);
    expect(await letters.list()).toEqual([]);
    expect(await letters.redrive('all')).toBe(0);
    expect([said, deleted, [...hidden]]).toEqual([[], [], []]);
  });

  test('when the bus takes nothing, nothing is taken out', async () => {
    const { about, deleted } = queueOf(fromRule(cancel('m1')));
    const messages = { publish: () => Promise.reject(new Error('the bus is away')) };
    await expect(sqsDeadLetters({ ...about, messages }).redrive('all')).rejects.toThrow('the bus is away');
    expect(deleted).toEqual([]);
  });
});

for (const emulator of endpoints)
  test('on the emulator, letters are listed, stay, and are redriven', async () => {
    const client = new SQSClient(emulator);
    const { QueueUrl = '' } = await client.send(new CreateQueueCommand({ QueueName: freshName() }));
    const ids = Array.from({ length: 12 }, (_, n) => `m${n}`);
    for (const id of ids) {
      const { Body, MessageAttributes } = fromRule(cancel(id));
      await client.send(new SendMessageCommand({ QueueUrl, MessageBody: Body, MessageAttributes }));
    }
    const said: string[] = [];
    const messages = { publish: async (some: readonly Message[]) => void said.push(...some.map(({ id }) => id)) };
    const letters = sqsDeadLetters({ client, queue: QueueUrl, messages, tenant: () => TENANT });
    const listed = async () => (await letters.list()).map(({ id }) => id).toSorted();
    expect(await listed()).toEqual(ids.toSorted());
    expect(await letters.redrive('m3')).toBe(1);
    expect(await listed()).toEqual(ids.filter((id) => id !== 'm3').toSorted());
    expect(await letters.redrive('all')).toBe(11);
    expect([said.toSorted(), await listed()]).toEqual([ids.toSorted(), []]);
  }, 30_000);
