// Many stored tasks: ten times the work beside them takes ten times as long, and questions are answered as fast as in an empty house.
import { dispatch } from '#functions/acp/step.ts';
import { localDoor } from '#local/door.ts';
import type { Runtime } from '#local/runtime.ts';
import type { MethodName, ParamsIn } from '#shared/contracts/acp.ts';
import { inFolder } from './folder.ts';
import { ourHouse, runMany, runOne } from './our-loop.ts';
import { storeCopies } from './stored.ts';
import { type Figure, timesOf } from './table.ts';

const STORED = Number(process.env.BENCH_STORED ?? 10_000);
const FEW = 20;
const ROUNDS = 5;
const WARM = 50;
const ASKED = 200;
/** The figure itself: ten times the tasks. */
const TIMES = 10;

export const measure = (): Promise<Figure[]> =>
  inFolder(async (folder) => {
    const house = await ourHouse(folder, 1);
    for (let run = 0; run < WARM; run += 1) await runOne(house);
    const [id = ''] = await runMany(house, 1);
    const empty = await questions(house, id);
    storeCopies(house, id, STORED);
    const full = await questions(house, id);
    const [few = [], many = []] = await timesOf({ runs: ROUNDS, warm: 1 }, [
      () => runMany(house, FEW),
      () => runMany(house, FEW * TIMES),
    ]);
    await house.close();
    const beside = `beside ${STORED.toLocaleString('en')} stored`;
    const ratio = many.map((time, round) => time / (few[round] ?? time));
    return [
      ...pairs(empty, full, beside),
      { name: `${FEW} tasks ${beside}`, unit: 'ms', times: few },
      { name: `${FEW * TIMES} tasks ${beside}`, unit: 'ms', times: many },
      { name: `${TIMES} times the tasks, ${beside}`, unit: 'times as long', times: ratio, target: `≤ ${TIMES + 1}` },
    ];
  });

const QUESTIONS = ['status', 'list', 'journal'] as const;

/** Milliseconds of each question at the door, without its socket. */
const questions = (house: Runtime, task: string): Promise<number[][]> => {
  const ask = askerOf(house);
  return timesOf({ runs: ASKED, warm: 20 }, [
    () => ask('_hca/task/get', { task }),
    () => ask('_hca/task/list', { limit: 20 }),
    () => ask('_hca/task/journal', { task, limit: 100 }),
  ]);
};

const askerOf = (house: Runtime) => {
  const never = () => Promise.reject(new Error('the bench does not ask for this'));
  const { principal, door } = localDoor(
    {
      ports: house.ports,
      dead: { list: () => [], redrive: () => 0 },
      preview: never,
      store: { missing: never, putBlob: never, uploads: never, putTree: never },
      secrets: { read: never },
      follow: house.follow,
      gc: never,
    },
    {
      identity: { version: '0', spec: '0', host: 'bench', instance: 'bench', pid: process.pid, home: '' },
      health: async () => [],
      stop: () => undefined,
    },
  );
  return async <M extends MethodName>(method: M, params: ParamsIn<M>): Promise<void> => {
    const answer = await dispatch({ jsonrpc: '2.0', id: 1, method, params }, principal, door);
    if ('error' in answer) throw new Error(answer.error.message);
  };
};

const pairs = (empty: number[][], full: number[][], beside: string): Figure[] =>
  QUESTIONS.map((name, index) => ({ name: `${name}, ${beside}`, unit: 'ms', times: full[index] ?? [] })).concat(
    QUESTIONS.map((name, index) => ({ name: `${name}, nothing else stored`, unit: 'ms', times: empty[index] ?? [] })),
  );
