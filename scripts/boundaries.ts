// Runs dependency-cruiser with boundaries.cjs over a tree. An empty cruise is a failure, never a pass: with a TypeScript it does
// not know, dependency-cruiser finds no module at all and exits 0.

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const CRUISER = fileURLToPath(
  new URL('../node_modules/dependency-cruiser/bin/dependency-cruiser.mjs', import.meta.url),
);
const OUTPUT_LIMIT = 256 * 1024 * 1024;

const Report = z.object({
  summary: z.object({
    totalCruised: z.int(),
    violations: z.array(z.object({ from: z.string(), to: z.string(), rule: z.object({ name: z.string() }) })),
  }),
});

/** One forbidden import: the rule of boundaries.cjs, the importing file and what it imports, relative to the tree. */
export interface Violation {
  rule: string;
  from: string;
  to: string;
}

/** What a cruise found. `modules` counts files, packages and built-in modules. */
export interface Cruise {
  modules: number;
  violations: Violation[];
}

/** Cruises the tree under `root`, which holds its own boundaries.cjs. Throws when the cruiser itself breaks. */
export const cruise = (root: string): Cruise => {
  const args = [CRUISER, '--config', 'boundaries.cjs', '--output-type', 'json', '.'];
  const run = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8', maxBuffer: OUTPUT_LIMIT });
  if (run.stdout === '') throw new Error(`dependency-cruiser said nothing: ${run.stderr}`);
  const { summary } = Report.parse(JSON.parse(run.stdout));
  const violations = summary.violations.map(({ rule, from, to }) => ({ rule: rule.name, from, to }));
  return { modules: summary.totalCruised, violations };
};

if (import.meta.main) {
  const { modules, violations } = cruise(ROOT);
  for (const { rule, from, to } of violations) console.error(`${rule}: ${from} may not import ${to}`);
  console.log(`${modules} modules, ${violations.length} forbidden imports`);
  process.exitCode = modules === 0 || violations.length > 0 ? 1 : 0;
}
