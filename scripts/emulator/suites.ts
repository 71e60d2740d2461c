// Suites of vitest against the endpoint, and what their reports say.

import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { awsEnvironment } from './cdk.ts';
import type { Place } from './place.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const Report = z.object({
  success: z.boolean(),
  numPassedTests: z.int(),
  numFailedTests: z.int(),
  testResults: z.array(
    z.object({ name: z.string(), assertionResults: z.array(z.object({ status: z.string(), title: z.string() })) }),
  ),
});

/** Where a suite's report lies, which vitest project and files it is, and what more it is told. */
export interface Suite {
  name: string;
  project: string;
  files: readonly string[];
  /** More arguments of vitest. */
  args: readonly string[];
  env: Readonly<Record<string, string>>;
}

/** `titles`: of the tests that passed, with the file they are in. */
export interface SuiteResult {
  passed: number;
  failed: number;
  titles: { file: string; title: string }[];
}

/** Runs a suite to its end; a suite that could not load counts as one failure. */
export const runSuite = (place: Place, { name, project, files, args, env }: Suite): SuiteResult => {
  const report = path.join(ROOT, '.reports', `${name}.json`);
  rmSync(report, { force: true });
  const command = ['run', '--project', project, ...files, ...args, '--reporter=default', '--reporter=json'];
  spawnSync(path.join(ROOT, 'node_modules', '.bin', 'vitest'), [...command, `--outputFile.json=${report}`], {
    cwd: ROOT,
    env: {
      ...awsEnvironment(place.endpoint),
      HCA_TEST_ENDPOINT: place.endpoint,
      ...(place.own ? { HCA_TEST_EMULATOR: 'ministack' } : {}),
      ...env,
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return existsSync(report) ? readReport(report) : { passed: 0, failed: 1, titles: [] };
};

function readReport(file: string): SuiteResult {
  const { success, numPassedTests, numFailedTests, testResults } = Report.parse(JSON.parse(readFileSync(file, 'utf8')));
  const titles = testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.flatMap(({ status, title }) =>
      status === 'passed' ? [{ file: path.relative(ROOT, name), title }] : [],
    ),
  );
  return { passed: numPassedTests, failed: success ? numFailedTests : Math.max(numFailedTests, 1), titles };
}
