// Every alarm as a row: what it watches, when it rings, and the section of docs/runbook.md that says what to do (a test compares both).
import { Duration } from 'aws-cdk-lib';
import { type IMetric, MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { TableName } from '#shared/contracts/storage.ts';
import type { Watched } from './watched.ts';

/** An alarm. `minutes`: how many in a row must be above `over`. */
export interface AlarmRow {
  name: string;
  section: string;
  says: string;
  metric: IMetric;
  over: number;
  minutes: number;
}

/** The alarms of an environment. */
export const alarmRows = (watched: Watched): AlarmRow[] => [...broken(watched), ...slow(watched)];

/** Something failed that nobody will do again by itself. */
const broken = (watched: Watched): AlarmRow[] => [
  {
    name: 'dead-letters',
    section: 'A dead letter in the cloud',
    says: 'Something could not be delivered or finished after every retry, and waits to be redriven.',
    metric: watched.letters.metricApproximateNumberOfMessagesVisible({ period: MINUTE, statistic: 'Maximum' }),
    over: 0,
    minutes: 1,
  },
  {
    name: 'bugs',
    section: 'A bug',
    says: 'A function threw what is no fault of its surroundings.',
    metric: emf(watched, 'Bug'),
    over: 0,
    minutes: 1,
  },
  {
    name: 'machines-died',
    section: 'A machine that died in the cloud',
    says: 'Executions failed, timed out or were stopped by hand; sweep takes them over.',
    metric: sumOf(
      watched.machines.flatMap(({ machine }) => [
        machine.metricFailed(EVERY),
        machine.metricTimedOut(EVERY),
        machine.metricAborted(EVERY),
      ]),
    ),
    over: 0,
    minutes: 1,
  },
  {
    name: 'sweep-fails',
    section: 'A sweep that fails',
    says: 'What looks for dead machines fails itself, so nobody takes over what dies.',
    metric: watched.functionOf('sweep').metricErrors(EVERY),
    over: 0,
    minutes: 3,
  },
];

/** Something is refused or late, and will be done. */
const slow = (watched: Watched): AlarmRow[] => [
  {
    name: 'throttled',
    section: 'Throttled functions',
    says: 'Invocations in this account and region were refused for want of concurrency; retries cover it while it is short.',
    metric: new Metric({ namespace: 'AWS/Lambda', metricName: 'Throttles', ...EVERY }),
    over: 0,
    minutes: 5,
  },
  {
    name: 'tables-throttled',
    section: 'A throttled table',
    says: 'DynamoDB refused requests for five minutes: a hot key, or a quota of the account.',
    metric: sumOf(BUSY.flatMap((name) => throttlesOf(watched, name))),
    over: 0,
    minutes: 5,
  },
  {
    name: 'updates-late',
    section: 'Updates that come late',
    says: 'The journal is more than a minute ahead of what open connections are shown.',
    metric: watched.functionOf('stream').metric('IteratorAge', { period: MINUTE, statistic: 'Maximum' }),
    over: 60_000,
    minutes: 3,
  },
  {
    name: 'door-fails',
    section: 'A door that fails',
    says: 'For three minutes requests were answered with 5xx, or frames on WebSockets came to nothing.',
    metric: sumOf([
      watched.http.metricServerError(EVERY),
      ...['IntegrationError', 'ExecutionError'].map((error) => watched.sockets.metric(error, EVERY)),
    ]),
    over: 0,
    minutes: 3,
  },
];

const MINUTE = Duration.minutes(1);
const EVERY = { period: MINUTE, statistic: 'Sum' } as const;

/** Tables that every step writes to. An alarm takes ten metrics. */
const BUSY: readonly TableName[] = ['tasks', 'waits', 'ledger', 'journal', 'sessions'];

/** Emitted by `functions/wrap.ts`, one series for all functions. */
const emf = ({ namespace }: Watched, metricName: string): IMetric =>
  new Metric({ namespace, metricName, dimensionsMap: { service: 'hca' }, ...EVERY });

const throttlesOf = ({ tables }: Watched, name: TableName): IMetric[] =>
  ['ReadThrottleEvents', 'WriteThrottleEvents'].map((event) => tables[name].metric(event, EVERY));

const sumOf = (metrics: readonly IMetric[]): IMetric => {
  const usingMetrics = Object.fromEntries(metrics.map((metric, at) => [`m${at}`, metric]));
  const expression = Object.keys(usingMetrics)
    .map((name) => `FILL(${name}, 0)`)
    .join(' + ');
  return new MathExpression({ expression, usingMetrics, period: MINUTE });
};
