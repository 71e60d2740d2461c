// What the deployed stack did, read from the services themselves and not from what it says: executions from their histories, invocations from the
// functions' logs, events from the archive of the bus, objects from the bucket, entries and items from the tables.
import { DynamoDBClient, paginateScan } from '@aws-sdk/client-dynamodb';
import { DescribeArchiveCommand, EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { ListObjectVersionsCommand, type ListObjectVersionsCommandOutput, S3Client } from '@aws-sdk/client-s3';
import {
  paginateGetExecutionHistory,
  paginateListExecutions,
  paginateListStateMachines,
  SFNClient,
} from '@aws-sdk/client-sfn';
import type { Stack } from '#test/conformance/hosts/stack.ts';
import { invocationsOf } from './logs.ts';

const PREFIX = 'hca-dev';
/** What sandboxes and the door keep of folders; no task's shape says how much that is. */
const OF_FOLDERS = '_workspaces/';

/** Counts by name. */
type Counts = Readonly<Record<string, number>>;

/** Sums: `invocations` by function; `items` by table; `entries` of the journal; `events` archived; `objects` of tasks, every version. */
export interface Happened {
  transitions: number;
  invocations: Counts;
  items: Counts;
  entries: number;
  events: number;
  objects: number;
}

/** Everything up to now. */
export const happened = async (stack: Stack): Promise<Happened> => {
  const tables = await Promise.all(stack.tables.map(async (name) => [portOf(name), await keysOf(name)] as const));
  return {
    transitions: await transitions(),
    invocations: await invocationsOf(`/aws/lambda/${PREFIX}-`),
    items: Object.fromEntries(tables.map(([name, keys]) => [name, keys.length])),
    entries: tables.flatMap(([, keys]) => keys).filter((key) => key.includes(' log#')).length,
    events: await archived(),
    objects: await versions(stack.bucket),
  };
};

/** What came to it between two looks. */
export const between = (before: Happened, after: Happened): Happened => ({
  transitions: after.transitions - before.transitions,
  invocations: less(after.invocations, before.invocations),
  items: less(after.items, before.items),
  entries: after.entries - before.entries,
  events: after.events - before.events,
  objects: after.objects - before.objects,
});

const less = (after: Counts, before: Counts): Counts =>
  Object.fromEntries(Object.entries(after).map(([name, count]) => [name, count - (before[name] ?? 0)]));

async function transitions(): Promise<number> {
  const client = new SFNClient({});
  let sum = 0;
  for await (const { stateMachines = [] } of paginateListStateMachines({ client }, {}))
    for (const { stateMachineArn } of stateMachines.filter(({ name }) => name?.startsWith(`${PREFIX}-`)))
      sum += await transitionsOf(client, stateMachineArn!);
  return sum;
}

async function transitionsOf(client: SFNClient, stateMachineArn: string): Promise<number> {
  let sum = 0;
  for await (const { executions = [] } of paginateListExecutions({ client }, { stateMachineArn }))
    for (const { executionArn } of executions) sum += await transitionsIn(client, executionArn!);
  return sum;
}

/** Each state entered, and of a Task each try: an emulator tells those of a Map's iterations, and none of the states that they are in. */
async function transitionsIn(client: SFNClient, executionArn: string): Promise<number> {
  let sum = 0;
  for await (const { events = [] } of paginateGetExecutionHistory({ client }, { executionArn, maxResults: 1000 }))
    sum += events.filter(({ type = '' }) => isPaid(type)).length;
  return sum;
}

const isPaid = (type: string): boolean =>
  type === 'TaskScheduled' || (type.endsWith('StateEntered') && type !== 'TaskStateEntered');

/** `hca-dev-data-TasksAB12` is that of tasks. */
const portOf = (table: string): string => /-([A-Z][a-z]+)[^-]*(-[^-]*)?$/.exec(table)![1]!.toLowerCase();

/** `pk sk` of every item of a table. */
export async function keysOf(TableName: string): Promise<string[]> {
  const keys: string[] = [];
  const page = { TableName, ProjectionExpression: 'pk, sk', ConsistentRead: true };
  for await (const { Items = [] } of paginateScan({ client: new DynamoDBClient({}) }, page))
    keys.push(...Items.map(({ pk, sk }) => `${pk?.S} ${sk?.S}`));
  return keys;
}

async function archived(): Promise<number> {
  const { EventCount = 0 } = await new EventBridgeClient({}).send(new DescribeArchiveCommand({ ArchiveName: PREFIX }));
  return EventCount;
}

async function versions(Bucket: string): Promise<number> {
  const client = new S3Client({ forcePathStyle: true });
  let count = 0;
  let KeyMarker: string | undefined;
  let VersionIdMarker: string | undefined;
  do {
    const asked = new ListObjectVersionsCommand({ Bucket, KeyMarker, VersionIdMarker });
    const page: ListObjectVersionsCommandOutput = await client.send(asked);
    count += (page.Versions ?? []).filter(({ Key }) => !Key?.startsWith(OF_FOLDERS)).length;
    KeyMarker = page.NextKeyMarker;
    VersionIdMarker = page.NextVersionIdMarker;
  } while (KeyMarker !== undefined);
  return count;
}
