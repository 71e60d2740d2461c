// Stands between the deployed functions and their tables: hands requests on, and lets some go wrong once, as DynamoDB does.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** What happens to a request: refused by this name; or done, and its answer lost on the way. */
export type Mishap = 'ProvisionedThroughputExceededException' | 'InternalServerError' | 'lost';

export interface FaultProxy {
  url: string;
  /** How often each happened. */
  happened: Map<Mishap, number>;
  close(): Promise<void>;
}

/** Of the requests that are different, each time the first: what happens to the one that comes as the nth. */
const MISHAPS: Readonly<Record<number, Mishap>> = {
  2: 'ProvisionedThroughputExceededException',
  5: 'lost',
  8: 'InternalServerError',
};
const EVERY = 9;

export const startFaultProxy = async (endpoint: string): Promise<FaultProxy> => {
  const known = new Set<string>();
  const happened = new Map<Mishap, number>();
  const next = (asked: string): Mishap | undefined => {
    if (known.has(asked)) return undefined;
    known.add(asked);
    const mishap = MISHAPS[known.size % EVERY];
    if (mishap !== undefined) happened.set(mishap, (happened.get(mishap) ?? 0) + 1);
    return mishap;
  };
  const server = createServer((request, response) => void answer(request, response));
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await buffer(request);
    const mishap = next(whatOf(request, body));
    if (mishap !== undefined && mishap !== 'lost') return refuse(response, mishap);
    const answered = await fetch(endpoint, { method: 'POST', headers: headersOf(request), body });
    const text = Buffer.from(await answered.arrayBuffer());
    if (mishap === 'lost') return void request.socket.destroy();
    response.writeHead(answered.status, { 'content-type': answered.headers.get('content-type') ?? '' }).end(text);
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    happened,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};

/** Operation, table and item: the same when it is tried again, whatever the clock says then. */
const whatOf = ({ headers }: IncomingMessage, body: Buffer): string => {
  const { TableName, Key, Item, ...more } = JSON.parse(body.toString()) as Record<string, Record<string, unknown>>;
  const item = Key ?? { pk: Item?.pk, sk: Item?.sk };
  return [headers['x-amz-target'], TableName, JSON.stringify(item.pk === undefined ? more : item)].join(' ');
};

const HOP = ['host', 'connection', 'content-length', 'transfer-encoding', 'expect'];

const headersOf = ({ headers }: IncomingMessage): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (HOP.includes(name) ? [] : [[name, String(value)]])),
  );

const refuse = (response: ServerResponse, name: Mishap): void => {
  const body = JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${name}`, message: 'as a test wants it' });
  response
    .writeHead(name === 'InternalServerError' ? 500 : 400, { 'content-type': 'application/x-amz-json-1.0' })
    .end(body);
};
