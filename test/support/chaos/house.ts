// A house to be disturbed: tools that do nothing, time that stands still, chance from a seed, and a witness of everything saved.
import { createRuntime, type Outside, type Runtime, type RuntimeOptions } from '#local/runtime.ts';
import type { LocalPorts } from '#shared/adapters/local/ports.ts';
import type { HolarchyFile } from '#shared/contracts/holon.ts';
import type { HarnessPackage } from '#shared/contracts/profile.ts';
import type { TaskRecord } from '#shared/contracts/task.ts';
import { noOpHarness, noOpHolarchy, noOpOutside } from '#test/support/no-op-house.ts';
import { TENANT } from '#test/support/submit.ts';
import { chain, type Hook, intercepted } from './intercept.ts';
import { seeded } from './seeded.ts';
import { hastyTimers, VirtualClock } from './virtual-time.ts';
import { type Witness, witness } from './witness.ts';

/** `found`: what a task's criterion reads; the default passes from a leaf's second iteration on. */
export interface ChaosOptions {
  folder?: string;
  checked?: boolean;
  seed?: number;
  clock?: VirtualClock;
  witness?: Witness;
  hooks?: readonly Hook[];
  bus?: RuntimeOptions['bus'];
  holarchy?: HolarchyFile;
  packages?: HarnessPackage[];
  found?: (record: TaskRecord) => string;
  outside?: (outside: Outside, storage: LocalPorts) => Outside;
}

export interface ChaosHouse extends Runtime {
  clock: VirtualClock;
  witness: Witness;
}

/** A leaf fails its first review and passes its second; a coordinator's aggregate passes. */
export const passesSecond = ({ plan, iteration }: TaskRecord): string =>
  plan?.leaf === null || iteration >= 2 ? 'done' : 'not yet';

/** Opens a house; nothing runs before `start`. */
export const openChaosHouse = async (options: ChaosOptions = {}): Promise<ChaosHouse> => {
  const random = seeded(options.seed ?? 1);
  const clock = options.clock ?? new VirtualClock(random);
  const seen = options.witness ?? witness();
  const hook = chain(...(options.hooks ?? []), seen.hook);
  const runtime = createRuntime({
    folder: options.folder ?? ':memory:',
    checked: options.checked ?? true,
    clock,
    bus: { timers: hastyTimers(), random, ...options.bus },
    asl: { clock, random: () => 0 },
    outside: (storage) => {
      const outside = outsideOf(storage, options);
      return options.outside?.(outside, storage) ?? outside;
    },
    around: (ports) => intercepted(ports, hook),
  });
  if ((await runtime.storage.holons.all(TENANT)).length === 0)
    await runtime.storage.holons.load(TENANT, options.holarchy ?? noOpHolarchy);
  return { ...runtime, clock, witness: seen };
};

const outsideOf = (storage: LocalPorts, { found = passesSecond, packages = [noOpHarness] }: ChaosOptions): Outside => {
  const reading = async (task: string): Promise<string> => {
    const record = await storage.tasks.load(TENANT, task);
    return record?.kind === 'task' ? found(record) : '';
  };
  const outside = noOpOutside(() => '', packages);
  return {
    ...outside,
    tools: {
      ...outside.tools,
      call: async (context, call) => {
        const text = await reading(context.task);
        return noOpOutside(() => text).tools.call(context, call);
      },
    },
  };
};
