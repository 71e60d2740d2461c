// The dashboard: what rings, tasks and what died, the door, and a row for each phase of the loop, under the names that a person of the house uses.
import { Stack } from 'aws-cdk-lib';
import {
  type Alarm,
  AlarmStatusWidget,
  GraphWidget,
  type IMetric,
  type IWidget,
  TextWidget,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import type { FunctionName } from '#shared/contracts/access.ts';
import type { Watched } from './watched.ts';

/** Where an alarm's section is. */
export const RUNBOOK = 'docs/runbook.md';

/** Phases in the order in which a task goes through them, and the functions of each; a function is in one of them. */
export const PHASES: Readonly<Record<string, readonly FunctionName[]>> = {
  Agreeing: ['answer', 'route'],
  Planning: ['plan'],
  Working: ['work'],
  Delegating: ['delegate', 'settle', 'arbitrate', 'collect'],
  Reviewing: ['review', 'judge', 'verdict', 'revise'],
  Ending: ['accept', 'escalate', 'compound', 'cancel'],
  Keeping: ['learn', 'sweep', 'upkeep'],
  'The door': ['acp', 'stream'],
};

/** Row by row. */
export const widgetsOf = (scope: Construct, watched: Watched, alarms: Alarm[]): IWidget[][] => {
  const markdown = `When an alarm rings: ${RUNBOOK}. Region ${Stack.of(scope).region}.`;
  const about = new TextWidget({ markdown, width: 24, height: 1 });
  const status = alarms.length === 0 ? [] : [new AlarmStatusWidget({ alarms, width: 24, height: 3 })];
  const phases = Object.entries(PHASES).map(([phase, names]) => phaseGraphs(watched, phase, names));
  return [[about], status, taskGraphs(watched), doorGraphs(watched), ...phases];
};

const SUM = { statistic: 'Sum' } as const;
const SLOW = { statistic: 'p95' } as const;

const graph = (title: string, left: IMetric[]): IWidget => new GraphWidget({ title, left, width: 8, height: 6 });

const taskGraphs = ({ machines, letters }: Watched): IWidget[] => [
  graph(
    'Tasks and reviews begun',
    machines.map(({ name, machine }) => machine.metricStarted({ ...SUM, label: name })),
  ),
  graph(
    'Machines that died',
    machines.flatMap(({ name, machine }) => [
      machine.metricFailed({ ...SUM, label: `${name}: failed` }),
      machine.metricTimedOut({ ...SUM, label: `${name}: timed out` }),
      machine.metricAborted({ ...SUM, label: `${name}: stopped by hand` }),
    ]),
  ),
  graph('Dead letters', [letters.metricApproximateNumberOfMessagesVisible({ label: 'waiting' })]),
];

const doorGraphs = ({ http, sockets, functionOf }: Watched): IWidget[] => [
  graph('Requests at the door', [
    http.metricCount({ ...SUM, label: 'requests' }),
    http.metricClientError({ ...SUM, label: 'refused (4xx)' }),
    http.metricServerError({ ...SUM, label: 'failed (5xx)' }),
    sockets.metric('MessageCount', { ...SUM, label: 'frames on WebSockets' }),
  ]),
  graph('Answers of the door, p95', [http.metricLatency({ ...SLOW, label: 'all of it' })]),
  graph('Updates behind the journal', [
    functionOf('stream').metric('IteratorAge', { statistic: 'Maximum', label: 'oldest' }),
  ]),
];

/** Where no pool of sandboxes is kept there is no function that keeps it. */
const phaseGraphs = ({ functions }: Watched, phase: string, names: readonly FunctionName[]): IWidget[] => {
  const all = names.flatMap((label) => {
    const found = functions.get(label);
    return found === undefined ? [] : [{ label, found }];
  });
  return [
    graph(
      `${phase}: invocations`,
      all.map(({ label, found }) => found.metricInvocations({ ...SUM, label })),
    ),
    graph(
      `${phase}: errors`,
      all.map(({ label, found }) => found.metricErrors({ ...SUM, label })),
    ),
    graph(
      `${phase}: time, p95`,
      all.map(({ label, found }) => found.metricDuration({ ...SLOW, label })),
    ),
  ];
};
