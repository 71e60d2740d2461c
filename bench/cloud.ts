// What a change of the cloud host costs whoever makes it: the templates of production, with bundles that are still good, and the suite about them from
// nothing. Time on the clock and time of processors, which moves less with what else runs.
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildFunctions } from '#scripts/build-functions.ts';
import { inFolder } from './folder.ts';
import type { Figure } from './table.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const BIN = path.join(ROOT, 'node_modules', '.bin');
const ROUNDS = Number(process.env.BENCH_SYNTHS ?? 3);

export const measure = async (): Promise<Figure[]> => {
  await buildFunctions();
  const synth: Spent[] = [];
  for (let round = 0; round < ROUNDS; round += 1)
    synth.push(await inFolder(async (out) => spentBy('cdk', ['synth', '-c', 'env=prod', '--quiet', '--output', out])));
  rmSync(path.join(ROOT, 'dist', 'functions.json'), { force: true });
  const suite = [spentBy('vitest', ['run', '--project', 'infra'])];
  return [...rows('cdk synth -c env=prod', synth, '≤ 6'), ...rows('suite infra, with bundling', suite, '≤ 30')];
};

/** Seconds. */
interface Spent {
  wall: number;
  processors: number;
}

const rows = (name: string, spent: readonly Spent[], target: string): Figure[] => [
  { name, unit: 's', times: spent.map(({ wall }) => wall), target },
  { name: `${name}: of processors`, unit: 's', times: spent.map(({ processors }) => processors) },
];

/** A shell tells what its children spent: the second line of `times`, user and system. @throws when the command fails */
const spentBy = (command: string, args: readonly string[]): Spent => {
  const began = performance.now();
  const said = execFileSync('sh', ['-c', '"$@" >/dev/null || exit 1; times', 'sh', path.join(BIN, command), ...args], {
    cwd: ROOT,
    encoding: 'utf8',
    env: { ...process.env, PATH: [BIN, process.env.PATH].join(path.delimiter) },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const wall = (performance.now() - began) / 1000;
  const [, children = ''] = said.trim().split('\n');
  const parts = [...children.matchAll(/(\d+)m([\d.]+)s/g)].map(
    ([, minutes, seconds]) => Number(minutes) * 60 + Number(seconds),
  );
  return { wall, processors: parts.reduce((sum, part) => sum + part, 0) };
};
