// The ARN behind each place that a grant names.
import { Fn } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { TABLES, type TableName } from '#shared/contracts/storage.ts';
import { MACHINES } from '../machine-files.ts';
import type { Place } from './grants.ts';
import type { House } from './house.ts';
import { bucketArnOf, executionsOf, machineArnOf } from './names.ts';

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
    case 'bus':
      return [house.bus.eventBusArn];
    case 'machines':
      return MACHINES.map((machine) => machineArnOf(scope, environment.name, machine));
    case 'executions':
      return MACHINES.map((machine) => executionsOf(scope, environment.name, machine));
    case 'letters':
      return [house.letters.queueArn];
    case 'sandbox-secret':
      return [house.sandbox.secretArn];
    default:
      return [];
  }
};

const indexArn = (house: House, name: string): string => {
  const [table = '', index = ''] = name.split('/');
  return Fn.join('/index/', [house.tables[tableNamed(table)].tableArn, index]);
};

const tableNamed = (name: string): TableName => {
  if (isTable(name)) return name;
  throw new Error(`There is no table "${name}" (shared/contracts/storage.ts).`);
};

const isTable = (name: string): name is TableName => name in TABLES;
