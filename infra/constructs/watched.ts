// What is looked at, by alarms and by the dashboard.
import type { HttpApi, WebSocketApi } from 'aws-cdk-lib/aws-apigatewayv2';
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import type { MachineName } from '#shared/contracts/machines.ts';
import type { TableName } from '#shared/contracts/storage.ts';

/** `namespace`: where functions put their own metrics. */
export interface Watched {
  namespace: string;
  letters: IQueue;
  machines: readonly { name: MachineName; machine: StateMachine }[];
  functions: ReadonlyMap<string, IFunction>;
  functionOf(name: string): IFunction;
  tables: Readonly<Record<TableName, ITable>>;
  http: HttpApi;
  sockets: WebSocketApi;
}
