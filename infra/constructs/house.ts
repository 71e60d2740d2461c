// What functions are connected to, as one thing that is handed around at synth time: tables, bucket, bus, machines, queues.
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import type { IEventBus } from 'aws-cdk-lib/aws-events';
import type { Code } from 'aws-cdk-lib/aws-lambda';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { FunctionName } from '#shared/contracts/access.ts';
import type { TableName } from '#shared/contracts/storage.ts';
import type { Environment } from '../environments.ts';
import type { Sandbox } from './sandbox.ts';

/** Any function with code of its own: those of the register, and the authorizer. */
export type CodeName = FunctionName | 'authorize';

export interface House {
  environment: Environment;
  version: string;
  tables: Readonly<Record<TableName, ITable>>;
  bus: IEventBus;
  /** What rules could not deliver and functions could not finish. */
  letters: IQueue;
  sandbox: Sandbox;
  /** The code of a function; a test gives a line instead of a bundle. */
  code(name: CodeName): Code;
}
