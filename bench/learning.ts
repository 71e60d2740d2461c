// What knowledge is worth: the 20th task of a family against the same task with an emptied base, in the same run, over many seeds, by the loop
// itself. Five worlds: the right way is the second or the third one (there is something to learn); the first, none, or only another family was done
// before (there is nothing).
import type { TaskRecord } from '#shared/contracts/task.ts';
import { decided } from '#shared/domain/knowledge/upkeep.ts';
import { seeded } from '#test/support/chaos/seeded.ts';
import { type LearningHouse, learningHouse, WAYS } from '#test/support/learning-house.ts';
import { TENANT } from '#test/support/submit.ts';
import type { Figure } from './table.ts';

const SEEDS = Number(process.env.BENCH_SEEDS ?? 30);
const TASKS = 20;
const GOALS = { turn: ['take the turn', 'please go turn now'], left: ['take the left', 'please go left now'] } as const;
const HOLONS = { turn: 'turner', left: 'lefty' } as const;
const WHAT = ['attempts', 'calls'] as const;

type Cost = Record<(typeof WHAT)[number], number>;
interface Pair {
  learned: Cost;
  emptied: Cost;
}

/** `before`: the family of the nineteen tasks before. */
interface World {
  name: string;
  right: (typeof WAYS)[number] | null;
  before: keyof typeof GOALS;
  teaches: boolean;
}

const WORLDS: readonly World[] = [
  { name: 'the third way is right', right: WAYS[2], before: 'turn', teaches: true },
  { name: 'the second way is right', right: WAYS[1], before: 'turn', teaches: true },
  { name: 'the first way is right', right: WAYS[0], before: 'turn', teaches: false },
  { name: 'no way is right', right: null, before: 'turn', teaches: false },
  { name: 'another family was done before', right: WAYS[2], before: 'left', teaches: false },
];

export const measure = async (): Promise<Figure[]> => {
  const figures: Figure[] = [];
  for (const world of WORLDS) figures.push(...figuresOf(world, await pairsOf(world)));
  return figures;
};

async function pairsOf(world: World): Promise<Pair[]> {
  const pairs: Pair[] = [];
  for (let seed = 1; seed <= SEEDS; seed += 1) pairs.push(await pairOf(world, seed));
  return pairs;
}

/** Nineteen tasks in one house, the wording by chance and tasks of yet another family in between; then the 20th, and it again with every lesson retired. */
async function pairOf({ right, before }: World, seed: number): Promise<Pair> {
  const random = seeded(seed);
  const other = WAYS[Math.floor(random() * WAYS.length)] ?? WAYS[0];
  const house = await learningHouse({ turn: right, left: other }, { seed });
  const goal = (family: keyof typeof GOALS): string => GOALS[family][random() < 0.5 ? 0 : 1];
  for (let task = 1; task < TASKS; task += 1) {
    await house.run(goal(before), HOLONS[before]);
    if (random() < 0.5) await house.run(goal('left'), HOLONS.left);
  }
  const last = goal('turn');
  const learned = await costOf(house, await house.run(last));
  await emptied(house);
  const without = await costOf(house, await house.run(last));
  await house.close();
  return { learned, emptied: without };
}

/** Calls are those that were paid for, of work and review together. */
async function costOf(house: LearningHouse, { id, attempts }: TaskRecord): Promise<Cost> {
  const ledger = await house.ports.ledger.read(TENANT, id);
  return { attempts: attempts.length, calls: ledger?.committed.calls ?? 0 };
}

async function emptied(house: LearningHouse): Promise<void> {
  for (const lesson of await house.lessons()) {
    const retired = decided(lesson, 'retired', { cause: 'emptied', why: 'the bench empties the base', at: 1 });
    if (retired !== null) await house.ports.lessons.put(TENANT, retired);
  }
}

function figuresOf({ name, teaches }: World, pairs: readonly Pair[]): Figure[] {
  const rows = WHAT.flatMap((what) => {
    const learned = pairs.map((pair) => pair.learned[what]);
    const without = pairs.map((pair) => pair.emptied[what]);
    return [
      { name: `task ${TASKS}, ${name}: learned`, unit: what, times: learned },
      { name: `task ${TASKS}, ${name}: emptied base`, unit: what, times: without, against: learned },
    ];
  });
  const misses = pairs.filter(({ learned, emptied: without }) =>
    WHAT.some((what) => (teaches ? learned[what] >= without[what] : learned[what] > without[what])),
  );
  const missed = teaches ? 'seeds without fewer of both' : 'seeds with more of either';
  return [
    ...rows,
    { name: `task ${TASKS}, ${name}: ${missed}`, unit: `of ${pairs.length}`, times: [misses.length], target: '0' },
  ];
}
