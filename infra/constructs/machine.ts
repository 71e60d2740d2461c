// A state machine from its file: every `${name}` in it is a function of the register, which the machine may invoke and nothing else.
import { RemovalPolicy } from 'aws-cdk-lib';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { DefinitionBody, LogLevel, StateMachine, StateMachineType } from 'aws-cdk-lib/aws-stepfunctions';
import { Construct } from 'constructs';
import type { MachineName } from '#shared/contracts/machines.ts';
import { machineFile, namesIn } from '../machine-files.ts';
import { because } from '../reasons.ts';
import type { House } from './house.ts';
import { machineNameOf } from './names.ts';

export interface MachineProps {
  name: MachineName;
  house: House;
  functionOf(name: string): IFunction;
}

/** One machine; its executions are named by their tasks, so a console shows them by what they are. */
export class Machine extends Construct {
  readonly machine: StateMachine;

  constructor(scope: Construct, id: string, { name, house, functionOf }: MachineProps) {
    super(scope, id);
    const { environment } = house;
    const calls = namesIn(name).map((called) => ({ called, arn: functionOf(called).functionArn }));
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('states.amazonaws.com'),
      description: `What the machine ${name} may do in ${environment.name}: invoke the functions it names`,
    });
    role.addToPolicy(
      new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: calls.map(({ arn }) => arn) }),
    );
    const stateMachineName = machineNameOf(environment.name, name);
    this.machine = new StateMachine(this, 'Machine', {
      stateMachineName,
      stateMachineType: StateMachineType.STANDARD,
      definitionBody: DefinitionBody.fromFile(machineFile(name)),
      definitionSubstitutions: Object.fromEntries(calls.map(({ called, arn }) => [called, arn])),
      role,
      tracingEnabled: true,
      logs: {
        level: environment.machine_log === 'ALL' ? LogLevel.ALL : LogLevel.ERROR,
        includeExecutionData: false,
        destination: new LogGroup(this, 'Log', {
          logGroupName: `/aws/vendedlogs/states/${stateMachineName}`,
          retention: environment.retention.logs,
          removalPolicy: RemovalPolicy.DESTROY,
        }),
      },
    });
    because(role, {
      'AwsSolutions-IAM5[Resource::*]':
        'X-Ray and the delivery of logs know no resources: AWS documents "*" as the only one for xray:Put* and logs:*LogDelivery.',
    });
    if (environment.machine_log === 'ERROR')
      because(this.machine, {
        'AwsSolutions-SF1':
          'Every state is in the journal and in the execution history; here the log is for what failed.',
      });
  }
}
