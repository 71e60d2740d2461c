// A letter of the dead-letter queue: what a rule could not deliver, or a function could not finish; each says in its own way what it was and why.
import type { Message as Received } from '@aws-sdk/client-sqs';
import * as z from 'zod';
import type { DeadLetterRow } from '#shared/contracts/acp-host.ts';
import { Message } from '#shared/contracts/messages.ts';

/** What was read of a letter. `message` null: it was a wake-up (a status change, the schedule, the journal's stream), which comes again by itself. */
export interface DeadLetter {
  receipt: string;
  message: Message | null;
  row: DeadLetterRow;
}

/** An event as a rule hands it over; its detail is the message word for word. */
const BusEvent = z.object({ 'detail-type': z.string(), detail: z.unknown() });

/** What Lambda writes when a function's retries are exhausted: the event it had, and what it answered. */
const Failure = z.object({
  requestContext: z.object({
    functionArn: z.string(),
    condition: z.string(),
    approximateInvokeCount: z.int().default(1),
  }),
  requestPayload: z.unknown(),
  responsePayload: z.object({ errorType: z.string(), errorMessage: z.string() }).partial().nullish(),
});

export const deadLetterOf = (received: Received): DeadLetter => {
  const { Body = '', MessageId = '', ReceiptHandle = '', Attributes = {} } = received;
  const body = jsonOf(Body);
  const failure = Failure.safeParse(body).data;
  const event = BusEvent.safeParse(failure === undefined ? body : failure.requestPayload).data;
  const message = Message.safeParse(event?.detail).data ?? null;
  const how = failure === undefined ? undelivered(received) : unfinished(failure);
  const what = message === null ? wakeUp(MessageId, event) : addressOf(message);
  return { receipt: ReceiptHandle, message, row: { ...what, ...how, at: Number(Attributes.SentTimestamp ?? 0) } };
};

type What = Omit<DeadLetterRow, keyof How | 'at'>;

const addressOf = ({ id, method, to, task }: Message): What => ({ id, method, to, task });

const wakeUp = (id: string, event: z.infer<typeof BusEvent> | undefined): What => ({
  id,
  method: event?.['detail-type'] ?? 'wake-up',
  to: '',
  task: '',
});

type How = Pick<DeadLetterRow, 'reason' | 'attempts'>;

function unfinished({ requestContext, responsePayload }: z.infer<typeof Failure>): How {
  const { functionArn, condition, approximateInvokeCount: attempts } = requestContext;
  const name = functionArn.split(':')[6] ?? functionArn;
  const why = `${responsePayload?.errorType ?? condition}: ${responsePayload?.errorMessage ?? 'no answer'}`;
  return { reason: `${name} failed with ${why}`, attempts };
}

/** EventBridge says it in attributes beside the event. */
function undelivered({ MessageAttributes: said }: Received): How {
  const text = (name: string): string => said?.[name]?.StringValue ?? '';
  const why = [text('ERROR_CODE'), text('ERROR_MESSAGE')].filter((part) => part !== '').join(': ');
  return { reason: why === '' ? 'could not be delivered' : why, attempts: Number(text('RETRY_ATTEMPTS')) + 1 };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
