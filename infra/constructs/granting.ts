// Gives a role what its row of the register needs, and what every function needs around it. Where a resource ends with `*`, the reason is acknowledged.
import { PolicyStatement, type Role } from 'aws-cdk-lib/aws-iam';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import { accessOf } from '#shared/contracts/access.ts';
import { becauseEndless } from '../reasons.ts';
import { ENDLESS, endlessAt, grantsFor, type Place } from './grants.ts';
import type { CodeName, House } from './house.ts';
import { arnsOf } from './places.ts';

/** The ports of its row. The authorizer has none. */
export const grantRow = (role: Role, name: CodeName, house: House): void => {
  if (name === 'authorize') return;
  for (const [place, actions] of grantsFor(accessOf(name))) grantAt(role, { place, actions }, house);
};

const grantAt = (role: Role, { place, actions }: { place: Place; actions: string[] }, house: House): void => {
  const resources = arnsOf(role, house, place);
  if (resources.length === 0) return;
  const conditions = conditionsAt(place, house);
  role.addToPolicy(new PolicyStatement({ actions, resources, conditions }));
  const endless = endlessAt(place);
  if (endless !== undefined) becauseEndless(role, resources, endless);
};

/** A task is started and looked for in our cluster alone; its starting role is given to ECS alone. */
const conditionsAt = (place: Place, { sandbox: { tasks } }: House): Record<string, Record<string, unknown>> => {
  if (place === 'sandbox-roles') return { StringEquals: { 'iam:PassedToService': 'ecs-tasks.amazonaws.com' } };
  if (place !== 'sandbox-cluster' && place !== 'sandbox-definition') return {};
  return { ArnEquals: { 'ecs:cluster': tasks?.cluster.clusterArn } };
};

/** Its own log, spans, and where it is in a network the interfaces to it. */
export const grantAround = (role: Role, log: ILogGroup, inNetwork: boolean): void => {
  const actions = ['logs:CreateLogStream', 'logs:PutLogEvents'];
  role.addToPolicy(new PolicyStatement({ actions, resources: [log.logGroupArn] }));
  if (inNetwork) role.addToPolicy(new PolicyStatement({ actions: [...INTERFACES], resources: ['*'] }));
  becauseEndless(role, ['*'], inNetwork ? `${ENDLESS.spans}; so it is with network interfaces` : ENDLESS.spans);
};

/** With which Lambda puts a function into a network; EC2 makes them at run time. */
export const INTERFACES = [
  'ec2:CreateNetworkInterface',
  'ec2:DeleteNetworkInterface',
  'ec2:DescribeNetworkInterfaces',
  'ec2:DescribeSubnets',
] as const;
