// A deployed stack by its outputs: where its door is, and how to empty what it stores.
import { BatchWriteItemCommand, DescribeTableCommand, DynamoDBClient, paginateScan } from '@aws-sdk/client-dynamodb';
import {
  paginateListExecutions,
  paginateListStateMachines,
  SFNClient,
  StopExecutionCommand,
} from '@aws-sdk/client-sfn';
import { PurgeQueueCommand, SQSClient } from '@aws-sdk/client-sqs';
import * as z from 'zod';
import { reached } from '#scripts/cloud/told.ts';
import type { AwsCredentials } from '#shared/client/sigv4.ts';

/** Outputs of the stacks of one environment, by stack and name, as `cdk deploy --outputs-file` writes them. */
const Outputs = z.record(z.string(), z.record(z.string(), z.string()));

export interface Stack {
  /** First part of the names of everything in it. */
  prefix: string;
  url: string;
  socket: string;
  region: string;
  keys: AwsCredentials;
  tables: string[];
  letters: string;
  bucket: string;
}

type Env = Readonly<Record<string, string | undefined>>;

/** @throws Error when the environment does not say which stack */
export const stackOf = (env: Env): Stack => {
  const { HCA_TEST_STACKS: stacks, HCA_TEST_ENDPOINT: endpoint = '', AWS_REGION: region = 'us-east-1' } = env;
  if (stacks === undefined) throw new Error('HCA_TEST_STACKS must hold the outputs of the deployed stacks, as JSON');
  const found: Record<string, string> = Object.assign({}, ...Object.values(Outputs.parse(JSON.parse(stacks))));
  return {
    prefix: found.BusName!,
    url: reached(found.RpcUrl!.replace(/\/rpc$/, ''), endpoint),
    socket: reached(found.AcpUrl!, endpoint.replace(/^http/, 'ws')),
    region,
    keys: { access_key: env.AWS_ACCESS_KEY_ID ?? '', secret_key: env.AWS_SECRET_ACCESS_KEY ?? '', session_token: null },
    tables: Object.entries(found).flatMap(([name, value]) => (/^Table[A-Z]/.test(name) ? [value] : [])),
    letters: found.DeadLetters!,
    bucket: found.BucketName!,
  };
};

/** Ends what runs, then takes out every item and every dead letter. */
export const emptyStack = async ({ prefix, tables, letters }: Stack): Promise<void> => {
  await stopExecutions(prefix);
  await Promise.all(tables.map(emptyTable));
  await new SQSClient({}).send(new PurgeQueueCommand({ QueueUrl: letters }));
};

async function stopExecutions(prefix: string): Promise<void> {
  const client = new SFNClient({});
  for await (const { stateMachines = [] } of paginateListStateMachines({ client }, {})) {
    const ours = stateMachines.filter(({ name = '' }) => name.startsWith(`${prefix}-`));
    for (const { stateMachineArn } of ours) await stopRunning(client, String(stateMachineArn));
  }
}

async function stopRunning(client: SFNClient, stateMachineArn: string): Promise<void> {
  const running = paginateListExecutions({ client }, { stateMachineArn, statusFilter: 'RUNNING' });
  for await (const { executions = [] } of running)
    await Promise.all(executions.map(({ executionArn }) => client.send(new StopExecutionCommand({ executionArn }))));
}

async function emptyTable(name: string): Promise<void> {
  const client = new DynamoDBClient({});
  const { Table } = await client.send(new DescribeTableCommand({ TableName: name }));
  const keys = (Table?.KeySchema ?? []).map(({ AttributeName }) => AttributeName!);
  for await (const { Items = [] } of paginateScan({ client, pageSize: 25 }, { TableName: name })) {
    if (Items.length === 0) continue;
    const gone = Items.map((item) => ({
      DeleteRequest: { Key: Object.fromEntries(keys.map((key) => [key, item[key]!])) },
    }));
    await client.send(new BatchWriteItemCommand({ RequestItems: { [name]: gone } }));
  }
}
