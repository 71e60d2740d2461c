// What a contribution costs with few and with many lessons stored: gate passed, group found, stored, linked, on disk, through the store. The peer is
// ourselves at a thousand, in turn with it (A B A B …): knowledge that grows must not make learning slower.
import path from 'node:path';
import { keepLesson } from '#functions/loop/lessons.ts';
import { type LocalPorts, localPorts } from '#shared/adapters/local/ports.ts';
import type { Lesson } from '#shared/contracts/lesson.ts';
import { lesson, rootId, TENANT } from '#test/adapters/suites/samples.ts';
import { inFolder } from './folder.ts';
import { type Figure, timesOf } from './table.ts';

const FEW = 1000;
const MANY = Number(process.env.BENCH_LESSONS ?? 100_000);
const MEASURED = 600;
const WARM = 100;
/** Filled in transactions of so many: filling is not measured. */
const BATCH = 500;

interface House {
  ports: LocalPorts;
  stored: number;
  /** Of our own thread, since it was filled, in ms: what a busy machine disturbs least. */
  own: number;
}

export const measure = (): Promise<Figure[]> =>
  inFolder(async (folder) => {
    const [few, many] = [await filled(path.join(folder, 'few'), FEW), await filled(path.join(folder, 'many'), MANY)];
    const [at = [], beside = []] = await timesOf({ runs: MEASURED, warm: WARM }, [() => timed(few), () => timed(many)]);
    for (const { ports } of [few, many]) await ports.close();
    const own = ({ own }: House): number[] => [own / (MEASURED + WARM)];
    const [less, more] = [
      `contribution with ${said(FEW)} lessons stored`,
      `contribution with ${said(MANY)} lessons stored`,
    ];
    return [
      { name: less, unit: 'ms', times: at },
      { name: more, unit: 'ms', times: beside, against: at, target: '≥ 0.83' },
      { name: `${less}: own thread, mean`, unit: 'ms', times: own(few) },
      { name: `${more}: own thread, mean`, unit: 'ms', times: own(many), against: own(few), target: '≥ 0.83' },
    ];
  });

async function timed(house: House): Promise<void> {
  const used = process.threadCpuUsage();
  await keep(house);
  const { user, system } = process.threadCpuUsage(used);
  house.own += (user + system) / 1000;
}

async function filled(folder: string, size: number): Promise<House> {
  const house = { ports: localPorts({ folder }), stored: 0, own: 0 };
  const { native } = house.ports.db;
  while (house.stored < size) {
    native.exec('BEGIN IMMEDIATE');
    for (const until = Math.min(size, house.stored + BATCH); house.stored < until; ) await keep(house);
    native.exec('COMMIT');
  }
  return house;
}

async function keep(house: House): Promise<void> {
  await keepLesson(TENANT, { status: 'taken', lesson: one(house.stored), reason: '' }, house.ports);
  house.stored += 1;
}

/** A lesson of a situation that every tenth one shares, with words of its own. */
function one(n: number): Lesson {
  const failures = [`lint:rule-${Math.floor(n / 10)}`, `lint:rule-${n % 97}`];
  return lesson(`lesson-${rootId(n)}`, {
    task_id: rootId(n),
    situation: `trouble number ${n} with rule ${Math.floor(n / 10)}`,
    alternatives: { for: ['strong-fixes'], against: ['safe-fixes'] },
    signature: { family: 'lint', tools: ['biome'], failures, checks: ['lint'] },
    change: { cause: `task:${n}`, why: '', at: 1 },
  });
}

const said = (count: number): string => count.toLocaleString('en');
