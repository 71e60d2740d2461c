// What an endpoint holds that an account would be billed for, read from the services themselves; and how many executions it ran.

import { CloudFormationClient, paginateDescribeStacks } from '@aws-sdk/client-cloudformation';
import { DynamoDBClient, paginateListTables } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient, ListEventBusesCommand } from '@aws-sdk/client-eventbridge';
import { ListBucketsCommand, S3Client } from '@aws-sdk/client-s3';
import { paginateListSecrets, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { paginateListExecutions, paginateListStateMachines, SFNClient } from '@aws-sdk/client-sfn';
import { ListQueuesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { DUMMY_KEYS } from './running.ts';

const PREFIX = /^hca-(dev|staging|prod)-/;

/** Of a client of any service. */
export const clientConfig = (endpoint: string) => ({
  endpoint,
  region: DUMMY_KEYS.AWS_REGION,
  credentials: { accessKeyId: DUMMY_KEYS.AWS_ACCESS_KEY_ID, secretAccessKey: DUMMY_KEYS.AWS_SECRET_ACCESS_KEY },
});

/** Names of everything of ours that is there, as `kind name`; empty after a destroy that leaves nothing billed. */
export const leftBehind = async (endpoint: string): Promise<string[]> => {
  const found = await Promise.all([stacks(endpoint), tables(endpoint), others(endpoint), machines(endpoint)]);
  return found.flat().filter((each) => PREFIX.test(each.split(' ')[1] ?? ''));
};

/** Executions of the deployed machines. */
export const countExecutions = async (endpoint: string): Promise<number> => {
  const client = new SFNClient(clientConfig(endpoint));
  let count = 0;
  for await (const { stateMachines = [] } of paginateListStateMachines({ client }, {})) {
    for (const { stateMachineArn } of stateMachines.filter(({ name = '' }) => PREFIX.test(name))) {
      for await (const { executions = [] } of paginateListExecutions({ client }, { stateMachineArn }))
        count += executions.length;
    }
  }
  return count;
};

async function stacks(endpoint: string): Promise<string[]> {
  const found: string[] = [];
  for await (const { Stacks = [] } of paginateDescribeStacks(
    { client: new CloudFormationClient(clientConfig(endpoint)) },
    {},
  ))
    found.push(
      ...Stacks.filter(({ StackStatus }) => StackStatus !== 'DELETE_COMPLETE').map(
        ({ StackName }) => `stack ${StackName}`,
      ),
    );
  return found;
}

async function tables(endpoint: string): Promise<string[]> {
  const found: string[] = [];
  for await (const { TableNames = [] } of paginateListTables(
    { client: new DynamoDBClient(clientConfig(endpoint)) },
    {},
  ))
    found.push(...TableNames.map((name) => `table ${name}`));
  return found;
}

async function machines(endpoint: string): Promise<string[]> {
  const found: string[] = [];
  for await (const { stateMachines = [] } of paginateListStateMachines(
    { client: new SFNClient(clientConfig(endpoint)) },
    {},
  ))
    found.push(...stateMachines.map(({ name }) => `machine ${name}`));
  return found;
}

async function others(endpoint: string): Promise<string[]> {
  const { Buckets = [] } = await new S3Client(clientConfig(endpoint)).send(new ListBucketsCommand({}));
  const { EventBuses = [] } = await new EventBridgeClient(clientConfig(endpoint)).send(new ListEventBusesCommand({}));
  const { QueueUrls = [] } = await new SQSClient(clientConfig(endpoint)).send(new ListQueuesCommand({}));
  const secrets: string[] = [];
  for await (const { SecretList = [] } of paginateListSecrets(
    { client: new SecretsManagerClient(clientConfig(endpoint)) },
    {},
  ))
    secrets.push(...SecretList.map(({ Name }) => `secret ${Name}`));
  return [
    ...Buckets.map(({ Name }) => `bucket ${Name}`),
    ...EventBuses.map(({ Name }) => `bus ${Name}`),
    ...QueueUrls.map((url) => `queue ${url.split('/').at(-1)}`),
    ...secrets,
  ];
}
