// What a port needs in the account, for each access: exact actions on exact resources (architecture section 11). The register says which function has
// which port; the test of grants compares template and register in both directions.
import type { Access } from '#shared/contracts/steps.ts';
import type { TableName } from '#shared/contracts/storage.ts';

/** Where an action is allowed. An index is of a table; `objects` are those in the bucket; `workspace-content` and `lesson-snapshots` some of them;
 * `executions` those of our machines. */
export type Place =
  | `table:${TableName}`
  | `index:${TableName}/${string}`
  | 'bucket'
  | 'objects'
  | 'workspace-content'
  | 'lesson-snapshots'
  | 'bus'
  | 'machines'
  | 'executions'
  | 'connections'
  | 'letters'
  | 'sandbox-secret'
  | 'sandbox-definition'
  | 'sandbox-tasks'
  | 'sandbox-cluster'
  | 'sandbox-roles';

/** Actions at places. */
export interface Grant {
  at: readonly Place[];
  may: readonly string[];
}

const LOOK = ['dynamodb:GetItem', 'dynamodb:Query'] as const;
const PUT = 'dynamodb:PutItem';
const CHANGE = [PUT, 'dynamodb:UpdateItem'] as const;
const GET_MANY = 'dynamodb:BatchGetItem';
const WRITE_MANY = 'dynamodb:BatchWriteItem';
const REMOVE = 'dynamodb:DeleteItem';

const at = (place: Place | readonly Place[], ...may: string[]): Grant => ({
  at: typeof place === 'string' ? [place] : place,
  may,
});

const TASK_INDEXES = [
  'index:tasks/open',
  'index:tasks/roots',
  'index:tasks/owner-roots',
  'index:tasks/open-roots',
  'index:tasks/leases',
] as const;
const lookAtTasks = [at('table:tasks', ...LOOK, GET_MANY), at(TASK_INDEXES, 'dynamodb:Query')];
type Bytes = 'objects' | 'workspace-content' | 'lesson-snapshots';
/** To look for a key that is not there is forbidden, and not "not found", to who may not list. */
const lookAtBytes = (place: Bytes): Grant[] => [at(place, 's3:GetObject'), at('bucket', 's3:ListBucket')];
const keepBytes = (place: Bytes): Grant[] => [...lookAtBytes(place), at(place, 's3:PutObject')];

const startingTasks = [
  at('sandbox-secret', 'secretsmanager:GetSecretValue'),
  at('sandbox-definition', 'ecs:RunTask'),
  at('sandbox-tasks', 'ecs:StopTask', 'ecs:DescribeTasks', 'ecs:TagResource'),
  at('sandbox-cluster', 'ecs:ListTasks'),
  at('sandbox-roles', 'iam:PassRole'),
];
const inSandbox = [...startingTasks, ...keepBytes('workspace-content')];

/** Port and access to grants. An access that a port does not have is not here; a clock needs nothing. */
export const GRANTS: Readonly<Record<string, Partial<Record<Access, readonly Grant[]>>>> = {
  clock: { read: [] },
  holons: {
    read: [at('table:holons', ...LOOK)],
    write: [at('table:holons', ...LOOK, PUT, WRITE_MANY)],
  },
  tasks: { read: lookAtTasks, write: [...lookAtTasks, at('table:tasks', ...CHANGE)] },
  waits: { read: [at('table:waits', ...LOOK)], write: [at('table:waits', ...LOOK, 'dynamodb:UpdateItem')] },
  marks: {
    read: [at('table:waits', 'dynamodb:Query')],
    write: [at('table:waits', 'dynamodb:Query', PUT)],
  },
  ledger: {
    read: [at('table:ledger', 'dynamodb:GetItem')],
    call: [at('table:ledger', 'dynamodb:GetItem', PUT)],
    write: [at('table:ledger', 'dynamodb:GetItem', PUT)],
  },
  journal: { read: [at('table:journal', ...LOOK)], write: [at('table:journal', ...LOOK, PUT)] },
  lessons: {
    read: [
      at('table:lessons', GET_MANY, ...LOOK),
      at('index:lessons/idle', 'dynamodb:Query'),
      ...lookAtBytes('lesson-snapshots'),
    ],
    write: [
      at('table:lessons', GET_MANY, ...LOOK, PUT, REMOVE),
      at('index:lessons/idle', 'dynamodb:Query'),
      ...keepBytes('lesson-snapshots'),
      at('lesson-snapshots', 's3:DeleteObject'),
    ],
  },
  profiles: {
    read: [at('table:profiles', 'dynamodb:Query')],
    write: [at('table:profiles', 'dynamodb:Query', PUT, REMOVE)],
  },
  sessions: { write: [at('table:sessions', ...LOOK, ...CHANGE, REMOVE, GET_MANY, WRITE_MANY)] },
  throttle: { write: [at('table:sessions', 'dynamodb:GetItem', PUT)] },
  watchers: { write: [at('table:sessions', ...LOOK, ...CHANGE, REMOVE, WRITE_MANY)] },
  artifacts: { read: lookAtBytes('objects'), write: keepBytes('objects') },
  workspaces: { read: lookAtBytes('workspace-content'), write: keepBytes('workspace-content') },
  messages: { write: [at('bus', 'events:PutEvents')] },
  history: { read: [at('executions', 'states:GetExecutionHistory')] },
  workflows: {
    read: [at('executions', 'states:DescribeExecution')],
    call: [at('machines', 'states:SendTaskSuccess', 'states:SendTaskFailure')],
    write: [
      at('machines', 'states:StartExecution', 'states:SendTaskSuccess', 'states:SendTaskFailure'),
      at('executions', 'states:DescribeExecution', 'states:StopExecution'),
    ],
  },
  // What a session holds is kept in the bucket; tools run in a session.
  pool: { call: startingTasks },
  sandbox: { call: inSandbox },
  // Which servers an editor brought is in the turn of its session.
  tools: { release: [], call: [...inSandbox, at('table:sessions', 'dynamodb:GetItem')] },
  connections: { call: [at('connections', 'execute-api:ManageConnections')] },
  letters: {
    write: [at('letters', 'sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:ChangeMessageVisibility')],
  },
};

/** Places whose resources are made at run time, so their ARNs end with `*`, and why that is so. */
export const ENDLESS = {
  objects: 'objects are named by tenant, task and hash when they are made',
  'workspace-content': 'content is named by tenant and hash when it is handed over',
  'lesson-snapshots': 'snapshots are named by tenant and place when they are made',
  executions: 'executions are named by their task when they are started',
  connections: 'connections are named by API Gateway when they are opened',
  'sandbox-definition':
    'a function that is being replaced still starts the revision before; the statement is bound to our cluster',
  'sandbox-tasks': 'tasks are named by ECS when they are started',
  'sandbox-cluster': 'ecs:ListTasks has no resource: the statement is bound to our cluster by a condition',
  spans: 'X-Ray has no resources: AWS documents "*" as the only one for xray:Put*',
} as const satisfies Partial<Record<Place | 'spans', string>>;

/** Why a place's resources end with `*`; undefined where they are exact. */
export const endlessAt = (place: Place): string | undefined => (isEndless(place) ? ENDLESS[place] : undefined);

const isEndless = (place: string): place is keyof typeof ENDLESS => place in ENDLESS;

/** Everything that a set of ports may do: place to actions, each once, sorted. */
export const grantsFor = (ports: Readonly<Record<string, Access>>): Map<Place, string[]> => {
  const granted = new Map<Place, Set<string>>();
  for (const [port, access] of Object.entries(ports))
    for (const { at: places, may } of grantOf(port, access))
      for (const place of places) granted.set(place, new Set([...(granted.get(place) ?? []), ...may]));
  return new Map([...granted].map(([place, actions]) => [place, [...actions].sort()]));
};

const grantOf = (port: string, access: Access): readonly Grant[] => {
  const grants = GRANTS[port]?.[access];
  if (grants === undefined)
    throw new Error(`No grants are written down for ${access} of ${port} (infra/constructs/grants.ts).`);
  return grants;
};
