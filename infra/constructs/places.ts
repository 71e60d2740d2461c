// The ARN behind each place that a grant names.
import { Fn, Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { PREFIXES } from '#shared/contracts/bucket.ts';
import { MACHINES } from '#shared/contracts/machines.ts';
import { TABLES, type TableName } from '#shared/contracts/storage.ts';
import type { Place } from './grants.ts';
import type { House } from './house.ts';
import { bucketArnOf, clusterNameOf, executionsOf, machineArnOf } from './names.ts';

/** ARNs of a place. `connections` belongs to the door that makes it, and is given there. */
export const arnsOf = (scope: Construct, house: House, place: Place): string[] => {
  const { environment } = house;
  const [kind = '', name = ''] = place.split(/:(.*)/s);
  switch (kind) {
    case 'table':
      return [house.tables[tableNamed(name)].tableArn];
    case 'index':
      return [indexArn(house, name)];
    case 'bucket':
      return [bucketArnOf(scope, environment.name)];
    case 'objects':
      return [`${bucketArnOf(scope, environment.name)}/*`];
    case 'workspace-content':
      return [`${bucketArnOf(scope, environment.name)}/${PREFIXES.workspaces}*`];
    case 'lesson-snapshots':
      return [`${bucketArnOf(scope, environment.name)}/${PREFIXES.lessons}*`];
    case 'bus':
      return [house.bus.eventBusArn];
    case 'machines':
      return MACHINES.map((machine) => machineArnOf(scope, environment.name, machine));
    case 'executions':
      return MACHINES.map((machine) => executionsOf(scope, environment.name, machine));
    case 'letters':
      return [house.letters.queueArn];
    default:
      return sandboxArns(scope, house, place);
  }
};

/** Empty where an agent-server is there already. */
const sandboxArns = (
  scope: Construct,
  { environment, sandbox: { secretArn, tasks } }: House,
  place: Place,
): string[] => {
  if (place === 'sandbox-secret') return [secretArn];
  if (tasks === null) return [];
  const { definition } = tasks;
  switch (place) {
    case 'sandbox-definition':
      return [definition.revisions];
    case 'sandbox-tasks':
      return [tasksArnOf(scope, environment.name)];
    case 'sandbox-cluster':
      return ['*'];
    case 'sandbox-roles':
      return [definition.starter];
    default:
      return [];
  }
};

const tasksArnOf = (scope: Construct, environment: string): string =>
  Stack.of(scope).formatArn({ service: 'ecs', resource: 'task', resourceName: `${clusterNameOf(environment)}/*` });

const indexArn = (house: House, name: string): string => {
  const [table = '', index = ''] = name.split('/');
  return Fn.join('/index/', [house.tables[tableNamed(table)].tableArn, index]);
};

const tableNamed = (name: string): TableName => {
  if (isTable(name)) return name;
  throw new Error(`There is no table "${name}" (shared/contracts/storage.ts).`);
};

const isTable = (name: string): name is TableName => name in TABLES;
