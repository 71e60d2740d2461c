// Watching as code: the alarms, whom they are sent to, and one dashboard (architecture section 9).
import { Stack } from 'aws-cdk-lib';
import {
  Alarm,
  AlarmStatusWidget,
  ComparisonOperator,
  Dashboard,
  GraphWidget,
  type IMetric,
  type IWidget,
  TextWidget,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import type { Environment } from '../environments.ts';
import { type AlarmRow, alarmRows } from './alarms.ts';
import { prefixOf } from './names.ts';
import type { Watched } from './watched.ts';

/** Where an alarm's section is. */
const RUNBOOK = 'docs/runbook.md';

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

const sendTo = (scope: Construct, address: string, alarms: readonly Alarm[]): void => {
  const topic = new Topic(scope, 'Topic', { enforceSSL: true });
  topic.addSubscription(new EmailSubscription(address));
  for (const alarm of alarms) alarm.addAlarmAction(new SnsAction(topic));
};

const widgetsOf = (scope: Construct, watched: Watched, alarms: Alarm[]): IWidget[][] => {
  const { region } = Stack.of(scope);
  const about = new TextWidget({
    markdown: `When an alarm rings: ${RUNBOOK}. Region ${region}.`,
    width: 24,
    height: 1,
  });
  const status = alarms.length === 0 ? [] : [new AlarmStatusWidget({ alarms, width: 24, height: 3 })];
  return [[about], status, machineGraphs(watched), functionGraphs(watched), doorGraphs(watched)];
};

const SUM = { statistic: 'Sum' } as const;
const SLOW = { statistic: 'p95' } as const;

const graph = (title: string, left: IMetric[]): IWidget => new GraphWidget({ title, left, width: 8, height: 6 });

const machineGraphs = ({ machines, letters }: Watched): IWidget[] => [
  graph(
    'Executions started',
    machines.map((machine) => machine.metricStarted(SUM)),
  ),
  graph(
    'Executions that died',
    machines.flatMap((machine) => [machine.metricFailed(SUM), machine.metricTimedOut(SUM), machine.metricAborted(SUM)]),
  ),
  graph('Dead letters', [letters.metricApproximateNumberOfMessagesVisible()]),
];

const functionGraphs = ({ functions }: Watched): IWidget[] => {
  const all = [...functions.values()];
  return [
    graph(
      'Invocations',
      all.map((one) => one.metricInvocations(SUM)),
    ),
    graph(
      'Errors',
      all.map((one) => one.metricErrors(SUM)),
    ),
    graph(
      'Duration, p95',
      all.map((one) => one.metricDuration(SLOW)),
    ),
  ];
};

const doorGraphs = ({ http, functionOf }: Watched): IWidget[] => [
  graph('The door', [http.metricCount(SUM), http.metricClientError(SUM), http.metricServerError(SUM)]),
  graph('Answers of the door, p95', [http.metricLatency(SLOW)]),
  graph('Updates behind the journal', [functionOf('stream').metric('IteratorAge', { statistic: 'Maximum' })]),
];
