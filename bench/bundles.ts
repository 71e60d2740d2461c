// How long the bundle of each function takes to be imported, in a process of its own that has nothing else, as at a cold start; and the same without any.
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { buildFunctions } from '#scripts/build-functions.ts';
import { MACHINES } from '#shared/contracts/machines.ts';
import { TABLES, VARIABLES } from '#shared/contracts/storage.ts';
import type { Figure } from './table.ts';

const ROUNDS = Number(process.env.BENCH_IMPORTS ?? 7);

const fileOf = (name: string): string => fileURLToPath(new URL(`../dist/functions/${name}/index.mjs`, import.meta.url));

/** Rounds over all of them in turn, so that a drifting machine hits all alike. A variable that is missing ends an import early, so none is. */
export const measure = async (): Promise<Figure[]> => {
  const names = (await buildFunctions()).map(({ name }) => name);
  const times = new Map<string, number[]>(names.map((name) => [name, []]));
  for (let round = 0; round < ROUNDS; round += 1)
    for (const name of names) times.get(name)?.push(importOf(fileOf(name)));
  return [...times].map(([name, took]) => ({ name: `import of ${name}`, unit: 'ms', times: took }));
};

/** Every variable that a function may look for, with something that could be an address. */
const NAMES = [
  ...Object.keys(TABLES).map((name) => `HCA_TABLE_${name.toUpperCase()}`),
  ...MACHINES.map(VARIABLES.machine),
  ...Object.values(VARIABLES).filter((name) => typeof name === 'string'),
];
const ENVIRONMENT = {
  PATH: process.env.PATH,
  AWS_REGION: 'us-east-1',
  ...Object.fromEntries(NAMES.map((name) => [name, 'https://x.example'])),
};

/** Lambda is another machine, so compare the functions with each other. */
const importOf = (file: string): number => {
  const script = `const began = performance.now(); await import(${JSON.stringify(file)}); console.log(performance.now() - began);`;
  const said = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
    encoding: 'utf8',
    env: ENVIRONMENT,
  });
  return Number(said.trim());
};
