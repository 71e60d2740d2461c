// Every figure in one table: `npm run bench`, or `npm run bench -- loop scale` for some. Each bench runs in a process of its own.
import { execFileSync } from 'node:child_process';
import os from 'node:os';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { Figure, table } from './table.ts';

/** In the order of the table. */
const BENCHES: Readonly<Record<string, () => Promise<{ measure(): Promise<Figure[]> }>>> = {
  loop: () => import('./loop.ts'),
  throughput: () => import('./throughput.ts'),
  scale: () => import('./scale.ts'),
  start: () => import('./start.ts'),
  idle: () => import('./idle.ts'),
  acp: () => import('./acp.ts'),
  cranfield: () => import('./cranfield.ts'),
  retrieval: () => import('./retrieval.ts'),
  learning: () => import('./learning.ts'),
  contribution: () => import('./contribution.ts'),
  bundles: () => import('./bundles.ts'),
  cloud: () => import('./cloud.ts'),
};
const FLAG = '--alone';

const [first, name] = process.argv.slice(2);
if (first === FLAG) console.log(JSON.stringify(await measured(name ?? '')));
else everyOne(process.argv.slice(2));

async function measured(bench: string): Promise<Figure[]> {
  const load = BENCHES[bench];
  if (load === undefined) throw new Error(`there is no bench ${bench}; there are ${Object.keys(BENCHES).join(', ')}`);
  return (await load()).measure();
}

function everyOne(chosen: readonly string[]): void {
  const figures = (chosen.length === 0 ? Object.keys(BENCHES) : chosen).flatMap(alone);
  console.log(`${table(figures)}\n`);
  console.log(
    `Node ${process.version}, ${os.availableParallelism()} × ${os.cpus()[0]?.model ?? 'unknown'}, load ${os.loadavg()[0]?.toFixed(1)}`,
  );
}

function alone(bench: string): Figure[] {
  const args = ['--disable-warning=ExperimentalWarning', fileURLToPath(import.meta.url), FLAG, bench];
  const said = execFileSync(process.execPath, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
  return z.array(Figure).parse(JSON.parse(said));
}
