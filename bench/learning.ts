// What knowledge is worth: the 20th task of a family against the same task with an emptied base, in the same run, over many seeds. Four worlds:
// the right way is the second or the third one (there is something to learn), the first (there is nothing), or none (nothing helps).
import type { TaskRecord } from '#shared/contracts/task.ts';
import { decided } from '#shared/domain/knowledge/upkeep.ts';
import { seeded } from '#test/support/chaos/seeded.ts';
import { type LearningHouse, learningHouse, WAYS } from '#test/support/learning-house.ts';
import { TENANT } from '#test/support/submit.ts';
import { median } from './table.ts';

const SEEDS = Number(process.env.BENCH_SEEDS ?? 30);
const TASKS = 20;
const GOALS = { turn: ['take the turn', 'please go turn now'], left: ['take the left', 'please go left now'] } as const;

interface Cost {
  attempts: number;
  calls: number;
}
interface Pair {
  learned: Cost;
  emptied: Cost;
}

const WORLDS = [
  { name: 'the third way is right', right: WAYS[2] },
  { name: 'the second way is right', right: WAYS[1] },
  { name: 'the first way is right: nothing to learn', right: WAYS[0] },
  { name: 'no way is right: nothing helps', right: null },
] as const;

console.log(
  `| task ${TASKS} of a family, ${SEEDS} seeds | attempts, emptied | attempts, learned | calls, emptied | calls, learned | never more |`,
);
console.log('|---|---|---|---|---|---|');
for (const world of WORLDS) console.log(row(world.name, await pairsOf(world.right)));

async function pairsOf(right: (typeof WAYS)[number] | null): Promise<Pair[]> {
  const pairs: Pair[] = [];
  for (let seed = 1; seed <= SEEDS; seed += 1) pairs.push(await pairOf(right, seed));
  return pairs;
}

/** Twenty tasks in one house, the wording by chance and another family's tasks in between; then the last one again with every lesson retired. */
async function pairOf(right: (typeof WAYS)[number] | null, seed: number): Promise<Pair> {
  const random = seeded(seed);
  const other = WAYS[Math.floor(random() * WAYS.length)] ?? WAYS[0];
  const house = await learningHouse({ turn: right, left: other }, { seed });
  const goal = (family: keyof typeof GOALS): string => GOALS[family][random() < 0.5 ? 0 : 1];
  for (let task = 1; task < TASKS; task += 1) {
    await house.run(goal('turn'));
    if (random() < 0.5) await house.run(goal('left'), 'lefty');
  }
  const last = goal('turn');
  const learned = await costOf(house, await house.run(last));
  await emptied(house);
  const without = await costOf(house, await house.run(last));
  await house.close();
  return { learned, emptied: without };
}

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

function row(name: string, pairs: readonly Pair[]): string {
  const of = (side: keyof Pair, what: keyof Cost): number[] => pairs.map((pair) => pair[side][what]);
  const never = pairs.every(({ learned, emptied: e }) => learned.attempts <= e.attempts && learned.calls <= e.calls);
  const cells = (['attempts', 'calls'] as const).flatMap((what) => [
    median(of('emptied', what)),
    median(of('learned', what)),
  ]);
  return `| ${name} | ${cells.join(' | ')} | ${never ? 'yes' : 'NO'} |`;
}
