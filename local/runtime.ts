// The embedded host: ports, steps, machines and bus put together in one process (architecture section 9).

import { ALL_STEPS } from '#functions/all.ts';
import { perform } from '#functions/perform.ts';
import { type LocalPorts, localPorts } from '#shared/adapters/local/ports.ts';
import type { BusOptions } from '#shared/adapters/local/sqlite-bus.ts';
import type { Entry } from '#shared/contracts/journal.ts';
import { MachineName } from '#shared/contracts/machines.ts';
import { type DetailType, MESSAGES } from '#shared/contracts/messages.ts';
import type { SweepInput } from '#shared/contracts/step-inputs.ts';
import { STEPS, type StepName } from '#shared/contracts/steps.ts';
import type { Ports } from '#shared/ports/index.ts';
import type { Clock, Workflows } from '#shared/ports/world.ts';
import { createAsl } from './asl/create-asl.ts';
import { ASL_MIGRATIONS } from './asl/migrations.ts';
import type { AslRunner, StatusChange } from './asl/runner.ts';
import { MACHINE_MIGRATIONS, machineFiles } from './machines.ts';
import { type ResumeLater, resumeLater } from './resume-later.ts';
import { historyPort, workflowsOf } from './workflows.ts';

/** The cloud's minute schedule, in ms. */
const EVERY_MS = 60_000;

/** Ports that are not storage; a host gives real ones, a test may give others. */
export type Outside = Pick<Ports, 'profiles' | 'tools' | 'sandbox' | 'workspaces'>;

/** `folder` is the home or ':memory:'. `outside` is made once the storage is open. */
export interface RuntimeOptions {
  folder: string;
  durable?: 'normal' | 'full';
  checked?: boolean;
  clock?: Clock;
  bus?: Pick<BusOptions, 'deliver' | 'timers' | 'random' | 'attempts' | 'atOnce'>;
  asl?: Partial<Pick<Parameters<typeof createAsl>[0], 'clock' | 'random'>>;
  /** Milliseconds before an execution whose journal could not be written is gone on with. */
  resume_ms?: number;
  outside(storage: LocalPorts): Outside;
  /** Between any two effects of a step: a test may throw or stop here. */
  around?(ports: Ports): Ports;
  /** Every call of a step, by a machine, the bus or the schedule: what would be an invocation elsewhere. */
  onCall?(step: string): void;
}

/** A running house. */
export interface Runtime {
  ports: Ports;
  storage: LocalPorts;
  asl: AslRunner;
  follow(listener: (entry: Entry) => void): () => void;
  /** Starts the bus and goes on with every open execution. */
  start(): void;
  /** Resolves when nothing moves any more without a timer or somebody from outside. */
  idle(): Promise<void>;
  close(): Promise<void>;
}

/** Puts the house together; nothing runs before `start`. @throws HcaFault HcaCorrupt, HcaUnavailable; AslDefinitionError */
export const createRuntime = (options: RuntimeOptions): Runtime => {
  const { folder, durable, checked, clock } = options;
  const storage = localPorts({
    folder,
    ...(durable === undefined ? {} : { durable }),
    ...(checked === undefined ? {} : { checked }),
    ...(clock === undefined ? {} : { clock }),
    bus: options.bus ?? {},
    migrations: [
      { area: 'asl', steps: ASL_MIGRATIONS.map((sql) => [sql]) },
      { area: 'machines', steps: MACHINE_MIGRATIONS.map((sql) => [sql]) },
    ],
  });
  const late: { asl: AslRunner | null } = { asl: null };
  const workflows: Workflows = workflowsOf(() => must(late.asl));
  const history = historyPort(() => must(late.asl));
  const { profiles, tools, sandbox, workspaces } = options.outside(storage);
  const ports: Ports = { ...storage, profiles, tools, sandbox, workspaces, workflows, history };
  const seen = options.around?.(ports) ?? ports;
  const steps = bind(seen, options.onCall ?? (() => undefined));
  const waiting = resumeLater(() => must(late.asl), options.resume_ms);
  late.asl = createAsl({
    db: storage.db.native,
    machines: machineFiles(),
    functions: Object.fromEntries(Object.keys(STEPS).map((name) => [name, name])),
    invoke: (name, payload) => call(steps, name, payload),
    onStatus: (change) => swept(steps, change),
    onSuspended: waiting.suspended,
    ...options.asl,
  });
  subscribe(storage, steps);
  return runtimeOf({ ports: seen, storage, asl: late.asl, steps, waiting });
};

type Bound = ReadonlyMap<string, (payload: unknown) => Promise<unknown>>;

const bind = (ports: Ports, onCall: (step: string) => void): Bound => {
  const entries: [string, (payload: unknown) => Promise<unknown>][] = [];
  for (const name of Object.keys(ALL_STEPS).filter(isStep)) {
    const run = boundStep(name, ports);
    entries.push([
      name,
      (payload) => {
        onCall(name);
        return run(payload);
      },
    ]);
  }
  return new Map(entries);
};

const boundStep = <S extends StepName>(name: S, ports: Ports) => perform(name, ALL_STEPS[name], ports);

const isDetailType = (method: string): method is DetailType => method in MESSAGES;

const isStep = (name: string): name is StepName => name in STEPS;

const call = (steps: Bound, name: string, payload: unknown): Promise<unknown> => {
  const step = steps.get(name);
  return step === undefined ? Promise.reject(new Error(`no function ${name}`)) : step(payload);
};

/** One subscription for each method that has a consumer. */
const subscribe = ({ bus }: LocalPorts, steps: Bound): void => {
  for (const method of Object.keys(MESSAGES).filter(isDetailType)) {
    const { consumer } = MESSAGES[method];
    if (consumer !== null) bus.subscribe(method, consumer, (message) => call(steps, consumer, { message }));
  }
};

/** The embedded form of the rule on status changes: what died is swept. */
const swept = (steps: Bound, { machine, name, status, input }: StatusChange): void => {
  if (status === 'RUNNING' || status === 'SUCCEEDED') return;
  const ours = MachineName.safeParse(machine);
  if (ours.success) sweepOne(steps, { tenant: tenantOf(input), machine: ours.data, execution: name, status });
};

/** What fails here is owed, and swept again with the next minute or the next start. */
const sweepOne = (steps: Bound, input: SweepInput): void => {
  call(steps, 'sweep', input).catch((error: unknown) =>
    process.stderr.write(`sweep of ${input.execution ?? 'what is owed'}: ${String(error)}\n`),
  );
};

/** The embedded form of the minute schedule. A house that was closed meanwhile has nothing to be looked at. */
const sweepOwed = (steps: Bound): void => sweepOne(steps, { tenant: '', machine: null, execution: null, status: null });

const tenantOf = (input: unknown): string =>
  typeof input === 'object' && input !== null && 'tenant' in input && typeof input.tenant === 'string'
    ? input.tenant
    : '';

const must = <T>(value: T | null): T => {
  if (value === null) throw new Error('bug: the house is not put together yet');
  return value;
};

interface Parts extends Pick<Runtime, 'ports' | 'storage' | 'asl'> {
  steps: Bound;
  waiting: ResumeLater;
}

const runtimeOf = ({ ports, storage, asl, steps, waiting }: Parts): Runtime => {
  let schedule: NodeJS.Timeout | undefined;
  const owed = () => sweepOwed(steps);
  return {
    ports,
    storage,
    asl,
    follow: (listener) => storage.journal.follow(listener),
    start: () => {
      storage.bus.start();
      asl.resume();
      owed();
      schedule = setInterval(owed, EVERY_MS).unref();
    },
    idle: () => settled(storage, asl),
    close: async () => {
      clearInterval(schedule);
      waiting.stop();
      await asl.close();
      await storage.close();
    },
  };
};

/** Bus and machines wake each other: both must be still, and nothing written since they were found so. */
const settled = async (storage: LocalPorts, asl: AslRunner): Promise<void> => {
  const writes = (): unknown => storage.db.get('SELECT total_changes() AS writes')?.writes;
  let before: unknown;
  do {
    before = writes();
    await storage.bus.idle();
    await asl.idle();
    await new Promise((resolve) => setImmediate(resolve));
  } while (writes() !== before);
};
