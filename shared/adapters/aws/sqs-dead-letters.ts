// The dead-letter queue as a person sees it: listed without losing a letter, redriven through the bus. A tenant sees its own letters only.
import {
  ChangeMessageVisibilityBatchCommand,
  DeleteMessageBatchCommand,
  type DeleteMessageBatchResult,
  ReceiveMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import type { DeadLetterRow } from '#shared/contracts/acp-host.ts';
import { HcaFault } from '#shared/contracts/errors.ts';
import type { Messages } from '#shared/ports/world.ts';
import { awsCall } from './aws-call.ts';
import { type DeadLetter, deadLetterOf } from './dead-letter.ts';

/** `queue`: its URL. `messages`: where a letter is said again. `tenant`: whose letters are meant, asked at each call. */
export interface LetterQueue {
  client: SQSClient;
  queue: string;
  messages: Messages;
  tenant: () => string;
}

export interface DeadLetters {
  /** Oldest first, at most a thousand. */
  list(): Promise<DeadLetterRow[]>;
  /** Says a letter again, by its id or all, and takes it out of the queue; a wake-up is only taken out, it comes again by itself. Says how many. */
  redrive(which: string): Promise<number>;
}

export const sqsDeadLetters = (house: LetterQueue): DeadLetters => {
  const own = (letters: DeadLetter[]) =>
    letters.filter(({ message }) => message === null || message.tenant === house.tenant());
  return {
    list: async () => {
      const letters = await receiveAll(house);
      await release(house, letters);
      return own(letters)
        .map(({ row }) => row)
        .sort((a, b) => a.at - b.at);
    },
    redrive: async (which) => {
      const letters = await receiveAll(house);
      const chosen = own(letters).filter(({ row }) => which === 'all' || row.id === which);
      await release(
        house,
        letters.filter((letter) => !chosen.includes(letter)),
      );
      // Said again before it is taken out: a crash between says it twice, which its id makes harmless.
      await house.messages.publish(chosen.flatMap(({ message }) => message ?? []));
      await takeOut(house, chosen);
      return chosen.length;
    },
  };
};

/** Letters of one call, and of one listing. */
const MANY = 10;
const LISTED = 1000;
/** While they are looked at nobody else gets them, in s; then they are back, whatever became of this process. */
const HIDDEN_S = 30;
/** A call that waits a second asks every server of the queue: an empty answer means that there is no more. */
const WAIT_S = 1;

async function receiveAll({ client, queue }: LetterQueue): Promise<DeadLetter[]> {
  const letters: DeadLetter[] = [];
  const command = new ReceiveMessageCommand({
    QueueUrl: queue,
    MaxNumberOfMessages: MANY,
    VisibilityTimeout: HIDDEN_S,
    WaitTimeSeconds: WAIT_S,
    MessageAttributeNames: ['All'],
    MessageSystemAttributeNames: ['SentTimestamp'],
  });
  while (letters.length < LISTED) {
    const { Messages: received = [] } = await awsCall('dead-letter queue', () => client.send(command));
    if (received.length === 0) break;
    letters.push(...received.map(deadLetterOf));
  }
  return letters;
}

/** What cannot be shown again now shows itself when its time is over. */
async function release({ client, queue }: LetterQueue, letters: readonly DeadLetter[]): Promise<void> {
  for (const Entries of batchesOf(letters)) {
    const shown = Entries.map((entry) => ({ ...entry, VisibilityTimeout: 0 }));
    const command = new ChangeMessageVisibilityBatchCommand({ QueueUrl: queue, Entries: shown });
    await awsCall('dead-letter queue', () => client.send(command));
  }
}

async function takeOut({ client, queue }: LetterQueue, letters: readonly DeadLetter[]): Promise<void> {
  for (const Entries of batchesOf(letters)) {
    const command = new DeleteMessageBatchCommand({ QueueUrl: queue, Entries });
    const { Failed = [] }: Partial<DeleteMessageBatchResult> = await awsCall('dead-letter queue', () =>
      client.send(command),
    );
    if (Failed.length === 0) continue;
    throw new HcaFault('HcaUnavailable', {
      message: `${Failed.length} letters were said again and are still in the queue (${Failed[0]?.Message ?? Failed[0]?.Code})`,
      field: 'dead-letter queue',
      remedy: 'redrive them again: what was said twice is harmless',
    });
  }
}

const batchesOf = (letters: readonly DeadLetter[]): { Id: string; ReceiptHandle: string }[][] =>
  Array.from({ length: Math.ceil(letters.length / MANY) }, (_, n) =>
    letters.slice(n * MANY, (n + 1) * MANY).map(({ receipt }, at) => ({ Id: String(at), ReceiptHandle: receipt })),
  );
