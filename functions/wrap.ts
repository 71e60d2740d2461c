// A step as a Lambda function: its ports built from the environment, its event made the payload that `perform` takes, and around it a log line, two
// metrics and a span (requirements section 9). What is thrown keeps its name, so that Retry and Catch match it.
import { Logger } from '@aws-lambda-powertools/logger';
import { injectLambdaContext } from '@aws-lambda-powertools/logger/middleware';
import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';
import middy, { type MiddlewareObj } from '@middy/core';
import type { Context } from 'aws-lambda';
import type { Build } from '#shared/adapters/aws/ports/environment.ts';
import { forTenant } from '#shared/adapters/aws/ports/tenant.ts';
import { sendSpan } from '#shared/adapters/aws/xray-spans.ts';
import { type COMMITS, consumes } from '#shared/contracts/access.ts';
import { ExecutionInput, StatusEvent } from '#shared/contracts/aws-events.ts';
import { isFault, toFault } from '#shared/contracts/errors.ts';
import { MACHINES } from '#shared/contracts/machines.ts';
import type { SweepInput } from '#shared/contracts/step-inputs.ts';
import type { STEPS, StepName } from '#shared/contracts/steps.ts';
import type { Ports, StepPorts } from '#shared/ports/index.ts';
import { aboutOf } from './about.ts';
import { perform } from './perform.ts';
import { isMessageInput } from './row.ts';
import type { Step } from './step.ts';

type Row<S extends StepName> = (typeof STEPS)[S];
type Around<S extends StepName> = Row<S>['record'] extends 'none' ? never : keyof typeof COMMITS;

/** What builds the ports of a step's function: those of its register row, and what runs around it; not one more. */
export type Builds<S extends StepName> = {
  [P in (keyof Row<S>['ports'] | Around<S>) & keyof Ports]: Build<Given<S, P>>;
};

/** A port as a host has it; of one that is only let go of, no more than that is loaded. */
type Given<S extends StepName, P extends keyof Ports> = P extends keyof StepPorts<S>
  ? Row<S>['ports'] extends Record<P, 'release'>
    ? StepPorts<S>[P]
    : Ports[P]
  : Ports[P];

/** What Lambda calls. */
export type Handler = (event: unknown, context: Context) => Promise<unknown>;

/** Binds a step. @throws HcaFault HcaBadInput, when the function starts, naming a variable that is missing */
export const handle = <S extends StepName>(name: S, step: Step<S>, builds: Builds<S>): Handler =>
  wrapped(name, () => {
    const run = perform(name, step, built(builds));
    return async (event, context) => {
      const payload = payloadOf(name, event);
      return forTenant(tenantOf(payload), () => run(payload, stopBy(context)));
    };
  });

const logger = new Logger();
/** One series for all functions: a metric costs by the series, and which function it was is in the log. */
const metrics = new Metrics({ serviceName: 'hca' });

/** Any function of the cloud host: what every invocation leaves behind. `build` makes what it works with, once. @throws what it throws, told */
export const wrapped = (name: string, build: () => Handler): Handler => {
  const work = started(name, build);
  return middy<unknown, unknown>()
    .use(injectLambdaContext(logger))
    .use(telling(name))
    .handler((event, context) => work(event, context));
};

/** What cannot start does nothing at all, and nobody does it again by itself: whatever the cause, it rings like a bug. */
const started = (name: string, build: () => Handler): Handler => {
  try {
    return build();
  } catch (error) {
    const { code, field, remedy, message } = toFault(error);
    logger.error('does not start', { step: name, code, field, remedy, reason: message });
    metrics.addMetric('Bug', MetricUnit.Count, 1);
    metrics.publishStoredMetrics();
    throw error;
  }
};

const built = (builds: object): object =>
  Object.fromEntries(Object.entries(builds).map(([port, build]) => [port, build(process.env)]));

/** The event as the register's input: a message from the bus, a status change for `sweep`, or what a machine hands over. */
const payloadOf = (name: StepName, event: unknown): unknown => {
  if (consumes(name)) return { message: detailOf(event) };
  return name === 'sweep' ? sweepInput(event) : event;
};

/** A rule of the bus hands the message over as the detail of its event, word for word. */
const detailOf = (event: unknown): unknown =>
  typeof event === 'object' && event !== null && 'detail' in event ? event.detail : undefined;

/** Empty where an invocation is nobody's: the look of each minute. */
const tenantOf = (payload: unknown): string => {
  const told = isMessageInput(payload) ? payload.message : payload;
  return ExecutionInput.pick({ tenant: true }).safeParse(told).data?.tenant ?? '';
};

const sweepInput = (event: unknown): unknown => {
  const change = StatusEvent.safeParse(event).data?.detail;
  if (change === undefined) return event;
  const { tenant } = ExecutionInput.safeParse(JSON.parse(change.input ?? '{}')).data ?? { tenant: '' };
  const machine = MACHINES.find((name) => change.stateMachineArn.endsWith(`-${name}`)) ?? null;
  return { tenant, machine, execution: change.name, status: change.status } satisfies SweepInput;
};

/** The longest turn: a tool call may take two minutes, its sandbox a grace of thirty seconds, and what it led to is committed. */
const LONGEST_TURN_MS = 180_000;

/** When no further turn is begun: so early that the last one ends before Lambda ends the invocation; at least half the time is used. */
const stopBy = (context: Context): number => {
  const left = context.getRemainingTimeInMillis();
  return Date.now() + left - Math.min(LONGEST_TURN_MS, left / 2);
};

/** One log line, the metrics and a span for each invocation. */
const telling = (name: string): MiddlewareObj<unknown, unknown> => {
  const began = new WeakMap<object, number>();
  return {
    before: ({ context }) => void began.set(context, Date.now()),
    after: ({ event, context, response }) =>
      tell(name, { payload: event, from: began.get(context), response, error: null }),
    onError: ({ event, context, error }) =>
      tell(name, { payload: event, from: began.get(context), response: null, error: error ?? null }),
  };
};

interface Ended {
  payload: unknown;
  from: number | undefined;
  response: unknown;
  error: Error | null;
}

const tell = async (name: string, { payload, from = Date.now(), response, error }: Ended): Promise<void> => {
  const to = Date.now();
  const detail = detailOf(payload);
  const about = aboutOf(detail === undefined ? payload : { message: detail });
  const annotations = { step: name, ...about };
  if (error === null) logger.info('done', { ...annotations, word: wordOf(response), ms: to - from });
  else tellError(error, { ...annotations, ms: to - from });
  if (metrics.hasStoredMetrics()) metrics.publishStoredMetrics();
  const tracing = { header: process.env._X_AMZN_TRACE_ID, daemon: process.env.AWS_XRAY_DAEMON_ADDRESS };
  const fault = error === null || EXPECTED.has(error.name) ? null : error.name;
  await sendSpan(tracing, { name, from, to, annotations, fault });
};

/** What a machine is told by name, as its way on. */
const EXPECTED: ReadonlySet<string> = new Set(['HcaCancelled', 'HcaMore', 'HcaUnsettled']);

/** What is expected is a word, a fault is expected trouble, anything else is a bug and has an alarm. */
const tellError = (error: Error, about: Record<string, string | number>): void => {
  const fault = isFault(error) ? error : null;
  if (EXPECTED.has(error.name)) logger.info('done', { ...about, word: error.name });
  else if (fault === null || BUGS.has(fault.code)) {
    metrics.addMetric('Bug', MetricUnit.Count, 1);
    logger.error('bug', { ...about, error });
  } else {
    metrics.addMetric('Fault', MetricUnit.Count, 1);
    const { code, retryable, message } = fault;
    logger.warn('fault', { ...about, code, retryable, reason: message.slice(0, 300) });
  }
};

/** Faults that no surroundings explain. */
const BUGS: ReadonlySet<string> = new Set(['HcaInternal', 'HcaCorrupt']);

const wordOf = (response: unknown): string =>
  typeof response === 'object' && response !== null && 'word' in response ? String(response.word) : '';
