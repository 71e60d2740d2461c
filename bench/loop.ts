// Loop overhead against LangGraph.js in the same run, in memory and on disk; both are durable against the death of the process.
import path from 'node:path';
import { MemorySaver } from '@langchain/langgraph';
import { SqliteSaver } from '@langchain/langgraph-checkpoint-sqlite';
import { inFolder } from './folder.ts';
import { langgraphLoop } from './langgraph-loop.ts';
import { assertWhole, ourHouse, runOne, THREE } from './our-loop.ts';
import { type Figure, timesOf } from './table.ts';

const RUNS = Number(process.env.BENCH_RUNS ?? 200);
const WARM = 30;
/** Plan, work and review three times, revise twice, accept, compound. */
const STEPS = 13;

export const measure = (): Promise<Figure[]> =>
  inFolder(async (folder) => [...(await compare('memory', folder)), ...(await compare('disk', folder))]);

async function compare(place: 'memory' | 'disk', folder: string): Promise<Figure[]> {
  const house = await ourHouse(place === 'memory' ? ':memory:' : path.join(folder, 'hca'), THREE);
  const saver = place === 'memory' ? new MemorySaver() : SqliteSaver.fromConnString(path.join(folder, 'peer.sqlite'));
  await assertWhole(house, await runOne(house), THREE);
  const [ours = [], peer = []] = await timesOf({ runs: RUNS, warm: WARM }, [() => runOne(house), theirs(saver)]);
  await house.close();
  return [
    { name: `loop, 3 iterations, ${place}: hca`, unit: 'ms', times: ours },
    { name: `loop, 3 iterations, ${place}: LangGraph.js`, unit: 'ms', times: peer, against: ours, target: '≤ 1.0' },
  ];
}

const theirs = (saver: MemorySaver | SqliteSaver) => {
  const graph = langgraphLoop(saver);
  let thread = 0;
  return async () => {
    thread += 1;
    const config = { configurable: { thread_id: String(thread) }, recursionLimit: 50 };
    const end = await graph.invoke({ iteration: 1, word: '' }, config);
    if (end.steps.length !== STEPS) throw new Error(`LangGraph took ${end.steps.length} steps`);
  };
};
