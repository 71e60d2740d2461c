// Names that must be known before what bears them exists: a machine calls functions that hold its ARN, so the name closes the circle.
import { ArnFormat, Aws, Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import type { MachineName } from '#shared/contracts/machines.ts';
import { prefixOf } from '../prefix.ts';

export const machineNameOf = (environment: string, machine: MachineName): string =>
  `${prefixOf(environment)}-${machine}`;

/** ARN of a machine in this stack's account and region. */
export const machineArnOf = (scope: Construct, environment: string, machine: MachineName): string =>
  Stack.of(scope).formatArn({
    service: 'states',
    resource: 'stateMachine',
    arnFormat: ArnFormat.COLON_RESOURCE_NAME,
    resourceName: machineNameOf(environment, machine),
  });

/** ARN of all executions of a machine. */
export const executionsOf = (scope: Construct, environment: string, machine: MachineName): string =>
  Stack.of(scope).formatArn({
    service: 'states',
    resource: 'execution',
    arnFormat: ArnFormat.COLON_RESOURCE_NAME,
    resourceName: `${machineNameOf(environment, machine)}:*`,
  });

/** Bucket names are the whole world's, so account and region are part of it. */
export const bucketNameOf = (environment: string): string => `${prefixOf(environment)}-${Aws.ACCOUNT_ID}-${Aws.REGION}`;

export const bucketArnOf = (scope: Construct, environment: string): string =>
  Stack.of(scope).formatArn({ service: 's3', region: '', account: '', resource: bucketNameOf(environment) });

/** A secret by its name; Secrets Manager adds six characters to its ARN. */
export const secretArnOf = (scope: Construct, name: string): string =>
  Stack.of(scope).formatArn({
    service: 'secretsmanager',
    resource: 'secret',
    arnFormat: ArnFormat.COLON_RESOURCE_NAME,
    resourceName: `${name}-??????`,
  });

export const clusterNameOf = (environment: string): string => `${prefixOf(environment)}-sandbox`;
