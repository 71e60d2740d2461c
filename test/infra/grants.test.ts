// What a function may do is its row of the register, no more and no less (architecture section 11): compared in both directions.
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { accessOf, FUNCTIONS, type FunctionName } from '#shared/contracts/access.ts';
import { PREFIXES } from '#shared/contracts/bucket.ts';
import { MACHINES } from '#shared/contracts/machines.ts';
import { TABLES } from '#shared/contracts/storage.ts';
import { permissionsIn, propertiesOf, templatesOf } from '#test/support/synth.ts';
import { INTERFACES } from '../../infra/constructs/granting.ts';
import { grantsFor } from '../../infra/constructs/grants.ts';
import { namesIn } from '../../infra/machine-files.ts';

const { app, data } = templatesOf('prod');
const permissions = permissionsIn(app);
const functions = propertiesOf(app, 'AWS::Lambda::Function');

const Reference = z.looseObject({ 'Fn::GetAtt': z.tuple([z.string(), z.string()]) });

const functionOf = (name: string) => {
  const found = Object.values(functions).find((properties) => properties.FunctionName === `hca-prod-${name}`);
  if (found === undefined) throw new Error(`no function ${name}`);
  return found;
};

const roleOf = (name: string): string => Reference.parse(functionOf(name).Role)['Fn::GetAtt'][0];

/** What every function has beside its ports: its log, spans, and for those that the bus calls the queue of what failed. */
const AROUND = ['logs:CreateLogStream', 'logs:PutLogEvents', 'xray:PutTelemetryRecords', 'xray:PutTraceSegments'];
const FAILED = ['sqs:GetQueueAttributes', 'sqs:GetQueueUrl', 'sqs:SendMessage'];
const STREAM = ['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator', 'dynamodb:ListStreams'];

const extra = (name: string): string[] => [
  ...AROUND,
  ...FAILED,
  ...(name === 'stream' ? STREAM : []),
  ...(['sandbox', 'pool'].some((port) => port in accessOf(nameOf(name))) ? INTERFACES : []),
];

const nameOf = (name: string): FunctionName => {
  const found = FUNCTIONS.find((one) => one === name);
  if (found === undefined) throw new Error(`no function ${name}`);
  return found;
};

const actionsOf = (name: string): string[] =>
  [...new Set(permissions.filter(({ role }) => role === roleOf(name)).map(({ action }) => action))].sort();

describe('grants are the register', () => {
  test.each([...FUNCTIONS])('%s', (name) => {
    const registered = [...grantsFor(accessOf(name)).values()].flat();
    const granted = actionsOf(name);
    expect(registered.filter((action) => !granted.includes(action))).toEqual([]);
    const allowed = new Set([...registered, ...extra(name)]);
    expect(granted.filter((action) => !allowed.has(action))).toEqual([]);
  });

  test('an action on a table is allowed on the tables of the ports alone', () => {
    for (const name of FUNCTIONS) {
      const places = [...grantsFor(accessOf(name)).keys()];
      const tables = Object.keys(TABLES).filter((table) => places.some((place) => place === `table:${table}`));
      const touched = permissions
        .filter(
          ({ role, action }) => role === roleOf(name) && action.startsWith('dynamodb:') && !STREAM.includes(action),
        )
        .map(({ resource }) =>
          Object.keys(TABLES).find((table) => resource.toLowerCase().includes(`${idOf(table)}arn`.toLowerCase())),
        );
      expect([...new Set(touched)].sort(), name).toEqual(tables.sort());
    }
  });

  test('who keeps no artifacts writes into the bucket below the prefix of what it keeps', () => {
    const writes = (name: string): string[] =>
      permissions
        .filter(({ role, action }) => role === roleOf(name) && action === 's3:PutObject')
        .map(({ resource }) => /"(?:-[^"]*)?\/([^"]*)"\]\]/.exec(resource)?.[1] ?? resource)
        .sort();
    expect(writes('acp')).toEqual([`${PREFIXES.lessons}*`, `${PREFIXES.workspaces}*`]);
    expect(writes('learn')).toEqual([`${PREFIXES.lessons}*`]);
    expect(writes('cancel')).toEqual([`${PREFIXES.workspaces}*`]);
    expect(writes('collect')).toEqual(['*']);
  });

  test('no action is a wildcard, and no function shares a role', () => {
    expect(permissions.filter(({ action }) => action.includes('*'))).toEqual([]);
    const roles = FUNCTIONS.map(roleOf);
    expect(new Set(roles).size).toBe(roles.length);
  });

  test('only route and sweep start executions', () => {
    const starters = permissions.filter(({ action }) => action === 'states:StartExecution').map(({ role }) => role);
    expect([...new Set(starters)].sort()).toEqual([roleOf('route'), roleOf('sweep')].sort());
  });

  test('a machine may invoke the functions that it names, and nothing else', () => {
    const machine = permissions.filter(({ role }) => role.startsWith('Machine'));
    const invoked = machine.filter(({ action }) => action === 'lambda:InvokeFunction');
    expect(invoked).toHaveLength(MACHINES.flatMap(namesIn).length);
    expect(invoked.filter(({ resource }) => resource.includes('*'))).toEqual([]);
  });
});

/** Logical id of a table in the stack of data. */
function idOf(table: string): string {
  const ids = Object.keys(propertiesOf(data, 'AWS::DynamoDB::Table'));
  return ids.find((id) => id.toLowerCase().startsWith(table)) ?? '-';
}
