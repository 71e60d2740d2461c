// Durable leaf tasks a second: many at once on disk, one iteration each, with tools that do nothing.
import { inFolder } from './folder.ts';
import { assertWhole, ourHouse, runMany, runOne } from './our-loop.ts';
import type { Figure } from './table.ts';

const TASKS = Number(process.env.BENCH_TASKS ?? 200);
const ROUNDS = 5;
const WARM = 50;

export const measure = (): Promise<Figure[]> =>
  inFolder(async (folder) => {
    const house = await ourHouse(folder, 1);
    for (let run = 0; run < WARM; run += 1) await runOne(house);
    const rates: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const began = performance.now();
      const ids = await runMany(house, TASKS);
      rates.push(TASKS / ((performance.now() - began) / 1000));
      for (const id of ids) await assertWhole(house, id, 1);
    }
    await house.close();
    return [{ name: 'durable leaf tasks, 1 iteration, disk', unit: 'tasks/s', times: rates, target: '≥ 100' }];
  });
