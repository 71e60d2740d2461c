// The shapes of tasks whose cost is asked for, each run in a house that counts.

import { HolarchyFile } from '#shared/contracts/holon.ts';
import { executionName } from '#shared/contracts/ids.ts';
import { machineOf } from '#shared/domain/machines.ts';
import type { Usage } from '#shared/domain/rate-card.ts';
import { statesOf, transitionsOf } from '#shared/domain/trace.ts';
import { noOpHolarchy } from '#test/support/no-op-house.ts';
import { submit, TENANT, taskOf } from '#test/support/submit.ts';
import { type CloudHouse, openCloudHouse } from './cloud-house.ts';

/** A shape: its holarchy, what is asked of whom, and the attempt that passes. */
interface Shape {
  name: string;
  holarchy: HolarchyFile;
  goal: string;
  to: string;
  passesAt: number;
}

const leafOf = (domain: string, id: string, family: string) => ({
  id,
  role: 'leaf' as const,
  parent: domain,
  harness: 'no-op',
  families: [family],
  capacity: 10_000,
});

/** A root over three domains with a leaf each, and one evaluator. */
const threeDomains = HolarchyFile.parse({
  ...noOpHolarchy,
  holons: [
    ...noOpHolarchy.holons.filter(({ id }) => id === 'root' || id === 'judge'),
    ...['turn', 'left', 'right'].flatMap((family) => [
      { id: `domain-${family}`, role: 'domain', parent: 'root', can_delegate: true, capacity: 10_000 },
      leafOf(`domain-${family}`, `leaf-${family}`, family),
    ]),
  ],
});

const one = { holarchy: noOpHolarchy, goal: 'take the turn', passesAt: 1 };

export const SHAPES = {
  leaf: { ...one, name: 'leaf', to: 'turner' },
  revised: { ...one, name: 'leaf, one revision', to: 'turner', passesAt: 2 },
  chain: { ...one, name: 'root > domain > leaf', to: 'root' },
  domains: {
    name: 'root > three domains > a leaf each',
    holarchy: threeDomains,
    goal: 'take the turn and take the left and take the right',
    to: 'root',
    passesAt: 1,
  },
} as const satisfies Record<string, Shape>;

export type Shapes = keyof typeof SHAPES;

/** Every shape, one after the other. */
export const measureAll = async (): Promise<Record<Shapes, Usage>> => ({
  leaf: await measure(SHAPES.leaf),
  revised: await measure(SHAPES.revised),
  chain: await measure(SHAPES.chain),
  domains: await measure(SHAPES.domains),
});

/** What one task of a shape uses. The first task of a house is left out: it is the one that fills caches. */
const measure = async (shape: Shape): Promise<Usage> => {
  const house = await openCloudHouse(shape.holarchy, shape.passesAt);
  try {
    await runOne(house, shape);
    return await runOne(house, shape);
  } finally {
    await house.close();
  }
};

/** Asked of the door: one request that submits, one that asks how it stands. */
export const REQUESTS = 2;

const runOne = async (house: CloudHouse, shape: Shape): Promise<Usage> => {
  house.used();
  const id = await submit(house.runtime, { goal: shape.goal, to: shape.to });
  await house.runtime.idle();
  const used = house.used();
  const task = await taskOf(house.runtime, id);
  if (task.state !== 'completed' || task.iteration !== shape.passesAt)
    throw new Error(`${shape.name}: ${task.state} in attempt ${task.iteration}: ${task.escalation?.detail ?? ''}`);
  return { ...used, transitions: await transitionsBelow(house, id), messages: REQUESTS };
};

const transitionsBelow = async ({ runtime }: CloudHouse, root: string): Promise<number> => {
  const records = await runtime.ports.tasks.below(TENANT, root);
  let sum = 0;
  for (const record of records) {
    if (record.kind === 'delegation') continue;
    const machine = record.kind === 'review' ? record.kind : machineOf(record);
    const history = await runtime.ports.history.events(machine, executionName(record.id, 1));
    sum += transitionsOf(statesOf(history));
  }
  return sum;
};
