// A house in which there is something to learn: three alternatives a family, one of which is right, and what that is can be changed.
import { createRuntime, type Runtime } from '#local/runtime.ts';
import { HolarchyFile } from '#shared/contracts/holon.ts';
import type { Lesson } from '#shared/contracts/lesson.ts';
import { HarnessPackage } from '#shared/contracts/profile.ts';
import type { TaskRecord } from '#shared/contracts/task.ts';
import { seeded } from './chaos/seeded.ts';
import { noOpHarness, noOpHolarchy, noOpOutside } from './no-op-house.ts';
import { submit, TENANT, taskOf } from './submit.ts';

/** Alternatives, weakest first. */
export const WAYS = ['push', 'pull', 'twist'] as const;
const FAMILIES = ['turn', 'left', 'right'];

const [family] = noOpHarness.families;
const [tool] = noOpHarness.tools;

/** Three families with the same three alternatives; two wordings for each. */
export const learningHarness: HarnessPackage = HarnessPackage.parse({
  ...noOpHarness,
  families: FAMILIES.map((name) => ({
    ...family,
    name,
    examples: [`take the ${name}`, `please go ${name} now`],
    grammar: { clause: [`take the ${name} => done`, `please go ${name} now => done`] },
  })),
  tools: WAYS.map((name, at) => ({
    ...tool,
    name,
    families: FAMILIES,
    rank: at + 1,
    again: false,
    steps: [{ call: { tool: 'filesystem.write_file', arguments: { path: 'turn.txt', content: name } }, note: name }],
  })),
});

const HOLARCHY = HolarchyFile.parse({
  ...noOpHolarchy,
  holons: noOpHolarchy.holons.map((card) => ({ ...card, domain: card.role === 'leaf' ? 'driving' : 'general' })),
});

export interface LearningHouse extends Runtime {
  /** Runs one task to its end. */
  run(goal: string, to?: string): Promise<TaskRecord>;
  /** Newest versions of every lesson. */
  lessons(): Promise<Lesson[]>;
}

/** `right`: which alternative passes the review of a family; null is none. Random parts of ids come from the seed. */
export const learningHouse = async (
  right: Record<string, (typeof WAYS)[number] | null>,
  options: { folder?: string; seed?: number } = {},
): Promise<LearningHouse> => {
  const written = new Map<string, string>();
  const families = new Map<string, string>();
  const random = seeded(options.seed ?? 1);
  const house = createRuntime({
    folder: options.folder ?? ':memory:',
    checked: true,
    bus: { random },
    outside: () =>
      noOpOutside(
        (call, { task }) => {
          if (call.tool !== 'filesystem.read_file') written.set(task, String(call.arguments.content));
          const way = written.get(task);
          return way !== undefined && way === right[families.get(task) ?? ''] ? 'done' : 'not yet';
        },
        [learningHarness],
      ),
  });
  await house.storage.holons.load(TENANT, HOLARCHY);
  house.start();
  return {
    ...house,
    run: async (goal, to = 'turner') => {
      const id = await submit(house, { goal, to });
      families.set(id, FAMILIES.find((name) => goal.includes(name)) ?? '');
      await house.idle();
      return taskOf(house, id);
    },
    lessons: () => house.ports.lessons.list(TENANT, { limit: 10_000 }),
  };
};
