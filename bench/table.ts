// How a bench measures and shows: alternating runs, minimum, median and maximum, and the ratio to the peer of the same run.

/** One row. `against`: the times that these are the peer of; the ratio is theirs to these, at the median. */
export interface Figure {
  name: string;
  unit: string;
  times: readonly number[];
  against?: readonly number[];
}

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

/** A Markdown table, one row for each figure. */
export const table = (figures: readonly Figure[]): string => {
  const rows = figures.map(({ name, unit, times, against }) => {
    const ratio = against === undefined ? '' : `${(median(against) / median(times)).toFixed(2)}`;
    return `| ${name} | ${Math.min(...times).toFixed(2)} | ${median(times).toFixed(2)} | ${Math.max(...times).toFixed(2)} | ${unit} | ${ratio} |`;
  });
  return ['| what | min | median | max | unit | hca / peer |', '|---|---|---|---|---|---|', ...rows].join('\n');
};
