// The bus: an archive, and one rule for each method that has a consumer, made from the register of messages. Removing a rule stops exactly that method.
import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { Archive, EventBus, type IEventBus, Rule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { MESSAGES, type MessageRow } from '#shared/contracts/messages.ts';
import type { Environment } from '../environments.ts';
import { prefixOf } from '../prefix.ts';
import { because } from '../reasons.ts';

/** Who publishes on the bus; the adapter of messages uses the same word. */
const SOURCE = 'hca';

/** The bus and the queue of what it could not deliver. */
export class Bus extends Construct {
  readonly bus: EventBus;
  readonly letters: Queue;

  constructor(scope: Construct, id: string, environment: Environment) {
    super(scope, id);
    const prefix = prefixOf(environment.name);
    this.bus = new EventBus(this, 'Bus', { eventBusName: prefix });
    new Archive(this, 'Archive', {
      archiveName: prefix,
      sourceEventBus: this.bus,
      eventPattern: { source: [SOURCE] },
      retention: Duration.days(environment.retention.archive),
    });
    this.letters = new Queue(this, 'Letters', {
      queueName: `${prefix}-dead-letters`,
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
      visibilityTimeout: Duration.seconds(60),
      removalPolicy: RemovalPolicy.DESTROY,
    });
    because(this.letters, { 'AwsSolutions-SQS3': 'This is the dead-letter queue.' });
  }
}

/** Name of a rule, from its method: `hca/task/delegate.result` of `dev` is `hca-dev-task-delegate-result`. */
export const ruleNameOf = (environment: string, method: string): string =>
  `${prefixOf(environment)}-${method.replace(/^hca\//, '').replaceAll(/[^a-z]+/g, '-')}`;

export interface RulesProps {
  environment: Environment;
  bus: IEventBus;
  letters: Queue;
  functionOf(name: string): IFunction;
}

/** The rules: detail-type is the method, word for word; what cannot be delivered in a day is a dead letter. */
export class Rules extends Construct {
  constructor(scope: Construct, id: string, { environment, bus, letters, functionOf }: RulesProps) {
    super(scope, id);
    const rows: [string, MessageRow][] = Object.entries(MESSAGES);
    for (const [method, { consumer }] of rows) {
      if (consumer === null) continue;
      const target = new LambdaFunction(functionOf(consumer), {
        deadLetterQueue: letters,
        maxEventAge: Duration.hours(24),
        retryAttempts: 185,
      });
      new Rule(this, method, {
        ruleName: ruleNameOf(environment.name, method),
        description: `${method} is for ${consumer}`,
        eventBus: bus,
        eventPattern: { source: [SOURCE], detailType: [method] },
        targets: [target],
      });
    }
  }
}
