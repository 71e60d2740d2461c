// One vitest project per folder of test/ (architecture section 13), generated from the folders that exist,
// so that `vitest run --project unit path` runs one room and a new folder needs no entry here.

import { readdirSync } from 'node:fs';
import { defineConfig } from 'vitest/config';

/** Suites that start servers, processes or whole hosts get longer; everything else must be quick. Milliseconds. */
const PATIENCE: Readonly<Record<string, number>> = {
  e2e: 180_000,
  chaos: 300_000,
  conformance: 120_000,
  adapters: 30_000,
  infra: 120_000,
  emulator: 240_000,
};
const QUICK = 15_000;

/** Folders of test/ that hold no suite: shared fixtures and builders. The emulator's needs an endpoint (`npm run test:emulator`). */
const NOT_A_SUITE = new Set(process.env.HCA_TEST_ENDPOINT === undefined ? ['support', 'emulator'] : ['support']);

/** Suites whose files share a process, because loading CDK takes longer than most of them. */
const SHARED = new Set(['infra']);

const suites = readdirSync(new URL('./test', import.meta.url), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !NOT_A_SUITE.has(entry.name))
  .map((entry) => entry.name)
  .sort();

export default defineConfig({
  test: {
    pool: 'forks',
    maxWorkers: 2,
    globalSetup: ['test/support/run-folder.ts'],
    projects: suites.map((name) => ({
      extends: true as const,
      test: {
        name,
        include: [`test/${name}/**/*.test.ts`],
        exclude: ['**/fixtures/**', '**/node_modules/**'],
        isolate: !SHARED.has(name),
        execArgv: ['--disable-warning=ExperimentalWarning'],
        testTimeout: PATIENCE[name] ?? QUICK,
        hookTimeout: PATIENCE[name] ?? QUICK,
      },
    })),
  },
});
