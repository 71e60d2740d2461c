// Messages on an EventBridge bus: at least once each, the method word for word as the detail-type, so that one rule takes one method.
import { type EventBridgeClient, PutEventsCommand, type PutEventsRequestEntry } from '@aws-sdk/client-eventbridge';
import { HcaFault } from '#shared/contracts/errors.ts';
import type { Message } from '#shared/contracts/messages.ts';
import type { Messages } from '#shared/ports/world.ts';
import { awsCall } from './aws-call.ts';

/** Client and name of the bus. `trace`: the X-Ray header of the invocation, so that what a message causes is in the same trace. */
export interface MessageBus {
  client: EventBridgeClient;
  bus: string;
  trace?: () => string | undefined;
}

/** What every event of hca says it comes from; rules match on it. */
export const SOURCE = 'hca';

/** Limits of PutEvents: entries of a call, and bytes of all its entries together. */
const ENTRIES = 10;
const BYTES = 256 * 1024;
/** Times that entries which were not taken are sent again; ids make a repeat harmless. */
const AGAIN = 3;

/** The bus as a port. @throws HcaFault HcaTooLarge before any call, HcaUnavailable or HcaThrottled when any was not taken */
export const eventbridgeMessages = (house: MessageBus): Messages => ({
  publish: async (messages) => {
    const entries = messages.map((message) => entryOf(house, message));
    for (const batch of batchesOf(entries)) await send(house, batch);
  },
});

function entryOf({ bus, trace }: MessageBus, message: Message): PutEventsRequestEntry {
  const header = trace?.();
  const entry = {
    EventBusName: bus,
    Source: SOURCE,
    DetailType: message.method,
    Detail: JSON.stringify(message),
    ...(header === undefined ? {} : { TraceHeader: header }),
  };
  if (bytesOf(entry) <= BYTES) return entry;
  throw new HcaFault('HcaTooLarge', {
    message: `message ${message.id} (${message.method}) has ${bytesOf(entry)} bytes, an event holds ${BYTES}`,
    field: 'message',
    remedy: 'name content by reference: store it as an artifact',
  });
}

/** As EventBridge counts: source, detail-type and detail in UTF-8. */
const bytesOf = ({ Source = '', DetailType = '', Detail = '' }: PutEventsRequestEntry): number =>
  Buffer.byteLength(Source) + Buffer.byteLength(DetailType) + Buffer.byteLength(Detail);

/** In their order; a batch is full by number or by size. */
function batchesOf(entries: readonly PutEventsRequestEntry[]): PutEventsRequestEntry[][] {
  const batches: PutEventsRequestEntry[][] = [];
  let room = 0;
  for (const entry of entries) {
    const batch = batches.at(-1);
    room -= bytesOf(entry);
    if (batch === undefined || batch.length === ENTRIES || room < 0) {
      batches.push([entry]);
      room = BYTES - bytesOf(entry);
    } else batch.push(entry);
  }
  return batches;
}

async function send(house: MessageBus, batch: PutEventsRequestEntry[]): Promise<void> {
  let refused: Refused[] = batch.map((entry) => ({ entry, code: '', why: '' }));
  for (let attempt = 0; attempt <= AGAIN && refused.length > 0; attempt += 1)
    refused = await sendOnce(
      house,
      refused.map(({ entry }) => entry),
    );
  const [first] = refused;
  if (first === undefined) return;
  const code = /thrott|limit/i.test(first.code) ? 'HcaThrottled' : 'HcaUnavailable';
  throw new HcaFault(code, {
    message: `the bus ${house.bus} did not take ${refused.length} of ${batch.length} messages (${first.code}: ${first.why})`,
    field: `bus ${house.bus}`,
    remedy: 'try again; what was taken is harmless a second time',
  });
}

interface Refused {
  entry: PutEventsRequestEntry;
  code: string;
  why: string;
}

/** An answer of 200 names, in the order of the entries, which of them were not taken. */
async function sendOnce({ client, bus }: MessageBus, entries: PutEventsRequestEntry[]): Promise<Refused[]> {
  const { Entries: results = [], FailedEntryCount = 0 } = await awsCall(`bus ${bus}`, () =>
    client.send(new PutEventsCommand({ Entries: entries })),
  );
  if (FailedEntryCount === 0) return [];
  return entries.flatMap((entry, at) => {
    const { EventId, ErrorCode: code = 'no id', ErrorMessage: why = '' } = results[at] ?? {};
    return EventId === undefined ? [{ entry, code, why }] : [];
  });
}
