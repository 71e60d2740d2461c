// Every figure in one table: `npm run bench`, or `npm run bench -- loop scale` for some. Each bench runs in a process of its own.
import { execFileSync } from 'node:child_process';
import os from 'node:os';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { Figure, table } from './table.ts';

/** In the order of the table. */
const BENCHES = ['loop', 'throughput', 'scale', 'start', 'idle', 'acp'] as const;
const FLAG = '--alone';

const [first, name] = process.argv.slice(2);
if (first === FLAG) console.log(JSON.stringify(await measured(name ?? '')));
else everyOne(process.argv.slice(2));

async function measured(bench: string): Promise<Figure[]> {
  switch (bench) {
    case 'loop':
      return (await import('./loop.ts')).measure();
    case 'throughput':
      return (await import('./throughput.ts')).measure();
    case 'scale':
      return (await import('./scale.ts')).measure();
    case 'start':
      return (await import('./start.ts')).measure();
    case 'idle':
      return (await import('./idle.ts')).measure();
    case 'acp':
      return (await import('./acp.ts')).measure();
    default:
      throw new Error(`there is no bench ${bench}; there are ${BENCHES.join(', ')}`);
  }
}

function everyOne(chosen: readonly string[]): void {
  const figures = (chosen.length === 0 ? BENCHES : chosen).flatMap(alone);
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
