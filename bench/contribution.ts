// What a contribution costs with few and with many lessons stored: gate passed, group found, stored, linked, on disk. The peer is ourselves at
// a thousand: knowledge that grows must not make learning slower.
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { keepLesson } from '#functions/loop/lessons.ts';
import { localPorts } from '#shared/adapters/local/ports.ts';
import type { Lesson } from '#shared/contracts/lesson.ts';
import { lesson, rootId, TENANT } from '#test/adapters/suites/samples.ts';
import { type Figure, table } from './table.ts';

const SIZES = (process.env.BENCH_SIZES ?? '1000,10000,100000').split(',').map(Number);
const MEASURED = 500;

const folder = mkdtempSync(path.join(os.tmpdir(), 'hca-bench-'));
const house = localPorts({ folder });
const figures: Figure[] = [];
let stored = 0;
for (const size of SIZES) {
  await fill(size);
  figures.push({ name: `contribution with ${size} lessons stored`, unit: 'ms', times: await measure() });
}
const [few] = figures;
console.log(table(figures.map((figure) => (figure === few ? figure : { ...figure, against: few?.times ?? [] }))));
await house.close();
rmSync(folder, { recursive: true });

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

async function keep(n: number): Promise<void> {
  await keepLesson(TENANT, { status: 'taken', lesson: one(n), reason: '' }, house);
}

/** Many in one transaction each: filling is not measured. */
async function fill(size: number): Promise<void> {
  while (stored < size) {
    house.db.native.exec('BEGIN IMMEDIATE');
    for (const until = Math.min(size, stored + 500); stored < until; stored += 1) await keep(stored);
    house.db.native.exec('COMMIT');
  }
}

async function measure(): Promise<number[]> {
  const times: number[] = [];
  for (let n = 0; n < MEASURED; n += 1) {
    const began = performance.now();
    await keep(stored);
    times.push(performance.now() - began);
    stored += 1;
  }
  return times;
}
