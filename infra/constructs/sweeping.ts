// What died is not left to a timeout: a rule on the status changes of our machines, and a look each minute (architecture section 3).
import { Duration } from 'aws-cdk-lib';
import { Rule, RuleTargetInput, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { MACHINES } from '#shared/contracts/machines.ts';
import type { Environment } from '../environments.ts';
import { prefixOf } from '../prefix.ts';
import { machineArnOf } from './names.ts';

export interface SweepingProps {
  environment: Environment;
  letters: Queue;
  sweep: IFunction;
  stream: IFunction;
  /** Null where no pool of sandboxes is kept. */
  upkeep: IFunction | null;
}

/** Ends of an execution that are no success. */
const ENDS = ['FAILED', 'TIMED_OUT', 'ABORTED'];

/** Rules on the account's own bus, where Step Functions tells and schedules run. */
export class Sweeping extends Construct {
  constructor(scope: Construct, id: string, { environment, letters, sweep, stream, upkeep }: SweepingProps) {
    super(scope, id);
    const prefix = prefixOf(environment.name);
    const reached = { deadLetterQueue: letters, maxEventAge: Duration.hours(24), retryAttempts: 185 };
    new Rule(this, 'Died', {
      ruleName: `${prefix}-machine-died`,
      description: 'An execution of ours failed, timed out or was stopped by hand',
      eventPattern: {
        source: ['aws.states'],
        detailType: ['Step Functions Execution Status Change'],
        detail: {
          status: ENDS,
          stateMachineArn: MACHINES.map((machine) => machineArnOf(this, environment.name, machine)),
        },
      },
      targets: [new LambdaFunction(sweep, reached)],
    });
    const look = RuleTargetInput.fromObject({ tenant: '', machine: null, execution: null, status: null });
    new Rule(this, 'Minute', {
      ruleName: `${prefix}-minute`,
      description:
        'Looks for machines whose death nobody told, connections with a deadline, and sandboxes to stop or start',
      schedule: Schedule.rate(Duration.minutes(1)),
      targets: [
        new LambdaFunction(sweep, { event: look, retryAttempts: 0 }),
        new LambdaFunction(stream, { event: RuleTargetInput.fromObject({ due: true }), retryAttempts: 0 }),
        ...(upkeep === null ? [] : [new LambdaFunction(upkeep, { retryAttempts: 0 })]),
      ],
    });
  }
}
