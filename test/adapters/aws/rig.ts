// Tables to test against: dynalite in this process, or the endpoint that HCA_TEST_ENDPOINT names; each store gets fresh tables of its own.
import type { AddressInfo } from 'node:net';
import {
  CreateTableCommand,
  DeleteTableCommand,
  DescribeTableCommand,
  type DynamoDBClientConfig,
} from '@aws-sdk/client-dynamodb';
import dynalite from 'dynalite';
import { type DynamoTable, dynamoClient } from '#shared/adapters/aws/dynamo-table.ts';
import { TABLES, type TableName, type TableShape } from '#shared/contracts/storage.ts';

/** Tables of one test, the commands that were sent to them (`Put`, `Query`, `BatchGet` …), and what happens around each: a test may throw, wait or answer itself. */
export interface Rig {
  table(name: TableName): DynamoTable;
  sent: string[];
  around: (command: string, send: () => Promise<object>) => Promise<object>;
  close(): Promise<void>;
}

const PATIENT_MS = 60_000;
let serving: Promise<string> | undefined;
let made = 0;

/** Makes the tables that are named. */
export const openRig = async (names: readonly TableName[], config: DynamoDBClientConfig = {}): Promise<Rig> => {
  const client = dynamoClient({ ...(await access()), ...config });
  made += 1;
  const nth = made;
  const nameOf = (name: TableName): string => `hca-test-${process.pid}-${nth}-${name}`;
  for (const name of names) await client.send(creation(nameOf(name), TABLES[name]));
  for (const name of names) await untilActive({ client, name: nameOf(name) });
  const rig: Rig = {
    sent: [],
    around: (_command, send) => send(),
    table: (name) => ({ client, name: nameOf(name) }),
    close: async () => {
      rig.around = (_command, send) => send();
      for (const name of names) await client.send(new DeleteTableCommand({ TableName: nameOf(name) }));
      client.destroy();
    },
  };
  watch(client, rig);
  return rig;
};

const watch = (client: DynamoTable['client'], rig: Rig): void =>
  client.middlewareStack.add(
    (next, context) => async (args) => {
      const command = String(context.commandName).replace(/(Item)?Command$/, '');
      rig.sent.push(command);
      let answer: Awaited<ReturnType<typeof next>> | undefined;
      const output = await rig.around(command, async () => {
        answer = await next(args);
        return answer.output;
      });
      return { response: undefined, ...answer, output } as Awaited<ReturnType<typeof next>>;
    },
    { step: 'initialize', priority: 'high' },
  );

const access = async () => ({
  endpoint: process.env.HCA_TEST_ENDPOINT ?? (await endpoint()),
  region: 'us-east-1',
  credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  // The database shares a busy machine with the test.
  requestHandler: { connectionTimeout: PATIENT_MS, requestTimeout: PATIENT_MS, throwOnRequestTimeout: true },
});

const endpoint = (): Promise<string> => {
  serving ??= serve();
  return serving;
};

const serve = (): Promise<string> =>
  new Promise((resolve) => {
    const server = dynalite({ createTableMs: 0, deleteTableMs: 0 });
    server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
    server.unref();
  });

const creation = (name: string, { indexes }: TableShape): CreateTableCommand => {
  const attributes = new Set(['pk', 'sk', ...indexes.flatMap(({ partition, sort }) => [partition, sort])]);
  return new CreateTableCommand({
    TableName: name,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [...attributes].map((each) => ({ AttributeName: each, AttributeType: 'S' as const })),
    KeySchema: keys('pk', 'sk'),
    ...(indexes.length === 0
      ? {}
      : {
          GlobalSecondaryIndexes: indexes.map(({ name: index, partition, sort, copies }) => ({
            IndexName: index,
            KeySchema: keys(partition, sort),
            Projection: projection(copies),
          })),
        }),
  });
};

const keys = (partition: string, sort: string) => [
  { AttributeName: partition, KeyType: 'HASH' as const },
  { AttributeName: sort, KeyType: 'RANGE' as const },
];

const projection = (copies: readonly string[] | 'all') => {
  if (copies === 'all') return { ProjectionType: 'ALL' as const };
  if (copies.length === 0) return { ProjectionType: 'KEYS_ONLY' as const };
  return { ProjectionType: 'INCLUDE' as const, NonKeyAttributes: [...copies] };
};

const untilActive = async ({ client, name }: DynamoTable): Promise<void> => {
  for (;;) {
    const { Table: table } = await client.send(new DescribeTableCommand({ TableName: name }));
    if (table?.TableStatus === 'ACTIVE') return;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
};
