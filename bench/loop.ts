// Loop overhead against LangGraph.js in the same run, in memory and on disk; both are durable against the death of the process.
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { MemorySaver } from '@langchain/langgraph';
import { SqliteSaver } from '@langchain/langgraph-checkpoint-sqlite';
import { langgraphLoop } from './langgraph-loop.ts';
import { assertWhole, ourHouse, runOne } from './our-loop.ts';
import { type Figure, table, timesOf } from './table.ts';

const RUNS = Number(process.env.BENCH_RUNS ?? 200);
const WARM = 30;

const folder = mkdtempSync(path.join(os.tmpdir(), 'hca-bench-'));
const figures: Figure[] = [];
for (const place of ['memory', 'disk'] as const) figures.push(...(await compare(place)));
figures.push(await throughput());
console.log(table(figures));
rmSync(folder, { recursive: true });

async function compare(place: 'memory' | 'disk'): Promise<Figure[]> {
  const house = await ourHouse(place === 'memory' ? ':memory:' : path.join(folder, 'hca'));
  const saver =
    place === 'memory' ? new MemorySaver() : SqliteSaver.fromConnString(path.join(folder, 'langgraph.sqlite'));
  const graph = langgraphLoop(saver);
  let thread = 0;
  const theirs = async () => {
    thread += 1;
    const end = await graph.invoke(
      { iteration: 1, word: '' },
      { configurable: { thread_id: String(thread) }, recursionLimit: 50 },
    );
    if (end.steps.length !== 13) throw new Error(`LangGraph took ${end.steps.length} steps`);
  };
  await assertWhole(house, await runOne(house));
  const [ours, peer] = await timesOf({ runs: RUNS, warm: WARM }, [() => runOne(house), theirs]);
  await house.close();
  return [
    { name: `loop, 3 iterations, ${place}: hca`, unit: 'ms', times: ours ?? [] },
    { name: `loop, 3 iterations, ${place}: LangGraph.js`, unit: 'ms', times: peer ?? [], against: ours ?? [] },
  ];
}

/** Many tasks at once, on disk. */
async function throughput(): Promise<Figure> {
  const house = await ourHouse(path.join(folder, 'many'));
  for (let n = 0; n < WARM; n += 1) await runOne(house);
  const rates: number[] = [];
  for (let round = 0; round < 5; round += 1) {
    const began = performance.now();
    await Promise.all(Array.from({ length: RUNS }, () => runOne(house)));
    rates.push(RUNS / ((performance.now() - began) / 1000));
  }
  await house.close();
  return { name: 'durable leaf tasks (3 iterations each), disk', unit: 'tasks/s', times: rates };
}
