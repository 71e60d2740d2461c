// What the adapters ask of AWS is what the grants of their ports allow, no more and no less: read from the source, because an emulator does not refuse
// what is not granted (architecture section 11).
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { GRANTS } from '../../infra/constructs/grants.ts';

const ADAPTERS = fileURLToPath(new URL('../../shared/adapters/aws/', import.meta.url));

/** Functions of the table's files, and the action behind each. */
const TABLE_CALLS: Readonly<Record<string, string>> = {
  getItem: 'dynamodb:GetItem',
  putItem: 'dynamodb:PutItem',
  putNew: 'dynamodb:PutItem',
  updateItem: 'dynamodb:UpdateItem',
  removeItem: 'dynamodb:DeleteItem',
  queryItems: 'dynamodb:Query',
  countItems: 'dynamodb:Query',
  getItems: 'dynamodb:BatchGetItem',
  putItems: 'dynamodb:BatchWriteItem',
  removeItems: 'dynamodb:BatchWriteItem',
};
/** To look for a key that is not there is forbidden, not "not found", to who may not list. */
const OBJECT_CALLS: Readonly<Record<string, readonly string[]>> = {
  put: ['s3:PutObject'],
  get: ['s3:GetObject', 's3:ListBucket'],
  head: ['s3:GetObject', 's3:ListBucket'],
  list: ['s3:ListBucket'],
  remove: ['s3:DeleteObject'],
};

/** What the calls above are made of, and what signs an upload's address. */
const TABLES_AND_BUCKET = ['dynamo-batch', 'dynamo-query', 'dynamo-table', 's3-objects', 's3-upload-urls'];

const callsIn = (file: string): string[] => {
  const text = readFileSync(`${ADAPTERS}${file}.ts`, 'utf8');
  const ofTables = Object.entries(TABLE_CALLS).filter(([name]) => new RegExp(`\\b${name}\\(`).test(text));
  const ofObjects = Object.entries(OBJECT_CALLS).filter(([name]) => text.includes(`objects.${name}(`));
  return [...ofTables.map(([, action]) => action), ...ofObjects.flatMap(([, actions]) => actions)];
};

const grantedTo = (ports: readonly string[]): string[] =>
  ports
    .flatMap((port) => GRANTS[port]?.write ?? [])
    .flatMap(({ may }) => may)
    .filter((action) => /^(dynamodb|s3):/.test(action));

const sorted = (actions: readonly string[]): string[] => [...new Set(actions)].sort();

/** Ports that are written, and the files that do it. */
const STORES: readonly [ports: string[], files: string[]][] = [
  [['holons'], ['dynamo-holons']],
  [['tasks'], ['dynamo-tasks', 'dynamo-leases']],
  [['waits', 'marks'], ['dynamo-waits']],
  [['ledger'], ['dynamo-ledger']],
  [['journal'], ['dynamo-journal', 'dynamo-journal-log', 'dynamo-journal-say']],
  [['profiles'], ['dynamo-profiles']],
  [['sessions'], ['dynamo-sessions', 'dynamo-connections', 'dynamo-turns', 'dynamo-requests']],
  [['throttle'], ['dynamo-throttle']],
  [['watchers'], ['dynamo-watchers']],
  [['artifacts'], ['s3-artifacts', 's3-artifact-meta']],
  [['workspaces'], ['s3-workspaces', 's3-blobs']],
  [
    ['lessons'],
    [
      ...['dynamo-lessons', 'dynamo-lesson-put', 'dynamo-lesson-claims', 'dynamo-lesson-shelves'],
      's3-lesson-snapshots',
    ],
  ],
];

/** Ports whose adapters send commands of a service themselves: the service, and the files that do it. */
const SERVICES: readonly [port: string, service: string, files: string[]][] = [
  ['messages', 'events', ['eventbridge-messages']],
  ['workflows', 'states', ['sfn-workflows']],
  ['history', 'states', ['sfn-history']],
  ['letters', 'sqs', ['sqs-dead-letters']],
  ['connections', 'execute-api', ['apigateway-connections']],
  ['pool', 'ecs', ['fargate-tasks', 'secretsmanager-secrets']],
];
/** Commands whose action is called otherwise, or that need more than their own. */
const OTHERWISE: Readonly<Record<string, readonly string[]>> = {
  PostToConnection: ['execute-api:ManageConnections'],
  DeleteConnection: ['execute-api:ManageConnections'],
  GetSecretValue: ['secretsmanager:GetSecretValue'],
  RunTask: ['ecs:RunTask', 'iam:PassRole'],
};

const commandsIn = (file: string): string[] => {
  const text = readFileSync(`${ADAPTERS}${file}.ts`, 'utf8');
  return [...text.matchAll(/new (\w+)Command\(/g)].map(([, name = '']) => name);
};

describe('grants are what adapters do', () => {
  test.each(SERVICES)('%s', (port, service, files) => {
    const used = files
      .flatMap(commandsIn)
      .flatMap((name) => OTHERWISE[name] ?? [`${service}:${name.replace(/Batch$/, '')}`]);
    const granted = Object.values(GRANTS[port] ?? {}).flatMap((grants) => grants.flatMap(({ may }) => may));
    expect(sorted(granted)).toEqual(sorted(used));
  });

  test('every file that sends commands is looked at', () => {
    const looked = [...SERVICES.flatMap(([, , files]) => files), ...TABLES_AND_BUCKET];
    const sending = readdirSync(ADAPTERS).flatMap((file) =>
      file.endsWith('.ts') && commandsIn(file.slice(0, -3)).length > 0 ? [file.slice(0, -3)] : [],
    );
    expect(sending.filter((file) => !looked.includes(file))).toEqual([]);
  });

  test.each(STORES)('%s', (ports, files) => {
    expect(sorted(grantedTo(ports))).toEqual(sorted(files.flatMap(callsIn)));
  });

  test('who only looks at tasks may list the roots, which are read together', () => {
    expect(GRANTS.tasks?.read?.flatMap(({ may }) => may)).toContain('dynamodb:BatchGetItem');
  });
});
