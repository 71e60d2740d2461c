// How a bench measures and shows: alternating runs, minimum, median and maximum, and the ratio to the peer of the same run.
import * as z from 'zod';

/** One row. `against`: the times that these are the peer of; the ratio is theirs to these, at the median. `target` is what it should be. */
export const Figure = z.object({
  name: z.string(),
  unit: z.string(),
  times: z.array(z.number()),
  against: z.array(z.number()).optional(),
  target: z.string().optional(),
});
export type Figure = z.infer<typeof Figure>;

/** Milliseconds of each subject, run in turn (A B A B …) so that a drifting machine hits both alike. */
export const timesOf = async (
  { runs, warm }: { runs: number; warm: number },
  subjects: readonly (() => Promise<unknown>)[],
): Promise<number[][]> => {
  const times: number[][] = subjects.map(() => []);
  for (let run = 0; run < runs + warm; run += 1) {
    for (const [index, subject] of subjects.entries()) {
      const began = performance.now();
      await subject();
      if (run >= warm) times[index]?.push(performance.now() - began);
    }
  }
  return times;
};

/** Middle of the sorted times. */
export const median = (times: readonly number[]): number =>
  [...times].sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;

/** A Markdown table, one row for each figure. A ratio is given at the minimum, where a busy machine disturbs least, and at the median. */
export const table = (figures: readonly Figure[]): string => {
  const rows = figures.map(({ name, unit, times, against, target = '' }) => {
    const measured = [Math.min(...times), median(times), Math.max(...times)].map((time) => time.toFixed(2));
    return `| ${[name, ...measured, unit, ratioOf(times, against), target].join(' | ')} |`;
  });
  const head = '| what | min | median | max | unit | hca / peer (min, median) | target |';
  return [head, '|---|---|---|---|---|---|---|', ...rows].join('\n');
};

const ratioOf = (times: readonly number[], against: readonly number[] | undefined): string =>
  against === undefined
    ? ''
    : `${(Math.min(...against) / Math.min(...times)).toFixed(2)}, ${(median(against) / median(times)).toFixed(2)}`;
