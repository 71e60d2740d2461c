// Watching as code: the alarms, whom they are sent to, and one dashboard (architecture section 9).
import { Aws } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, Dashboard, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import type { Environment } from '../environments.ts';
import { prefixOf } from '../prefix.ts';
import { type AlarmRow, alarmRows } from './alarms.ts';
import type { Watched } from './watched.ts';
import { RUNBOOK, widgetsOf } from './widgets.ts';

export const anchorOf = (section: string): string => section.toLowerCase().replaceAll(' ', '-');

/** Dashboard, and in environments that want them alarms. */
export class Watching extends Construct {
  readonly dashboardName: string;

  constructor(scope: Construct, id: string, { environment, watched }: { environment: Environment; watched: Watched }) {
    super(scope, id);
    const alarms = environment.alarms ? alarmRows(watched).map((row) => alarmOf(this, row, environment)) : [];
    if (environment.alarm_address !== null) sendTo(this, environment.alarm_address, alarms);
    this.dashboardName = prefixOf(environment.name);
    new Dashboard(this, 'Dashboard', { dashboardName: this.dashboardName, widgets: widgetsOf(this, watched, alarms) });
  }
}

const alarmOf = (scope: Construct, row: AlarmRow, environment: Environment): Alarm =>
  new Alarm(scope, row.name, {
    alarmName: `${prefixOf(environment.name)}-${row.name}`,
    alarmDescription: `${row.says} ${RUNBOOK}#${anchorOf(row.section)}`,
    metric: row.metric,
    threshold: row.over,
    evaluationPeriods: row.minutes,
    comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
    treatMissingData: TreatMissingData.NOT_BREACHING,
  });

/** A topic with a policy of its own has lost the one that lets its account publish, and CDK's action grants nothing: so alarms of this account are let in by name. */
const sendTo = (scope: Construct, address: string, alarms: readonly Alarm[]): void => {
  const topic = new Topic(scope, 'Topic', { enforceSSL: true });
  topic.addToResourcePolicy(
    new PolicyStatement({
      principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
      actions: ['sns:Publish'],
      resources: [topic.topicArn],
      conditions: { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } },
    }),
  );
  topic.addSubscription(new EmailSubscription(address));
  for (const alarm of alarms) alarm.addAlarmAction(new SnsAction(topic));
};
