// The whole gate, `npm run check`: every part in order, what each took, and as its last line `N passed, N failed`.
// Every part runs even when one before it failed, so that one run shows everything; any failure makes the exit code 1.

import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const TEST_REPORT = '.reports/tests.json';
const EMULATOR_REPORT = '.reports/emulator.json';

/** A part of the gate: its name and the npm script behind it, so that each can be run alone. */
interface Part {
  name: string;
  script: string[];
}

const PARTS: Part[] = [
  { name: 'format and lint', script: ['lint'] },
  { name: 'types', script: ['typecheck'] },
  { name: 'boundaries', script: ['boundaries'] },
  { name: 'house rules', script: ['house-rules'] },
  { name: 'unused code', script: ['unused'] },
  { name: 'build', script: ['build'] },
];

const TESTS: Part = {
  name: 'tests',
  script: ['test', '--', '--reporter=default', '--reporter=json', `--outputFile.json=${TEST_REPORT}`],
};

/** The deployed stack on an emulator, which needs Python: tests and steps of its own, counted in a report of its own. */
const EMULATOR: Part = { name: 'emulator tier', script: ['test:emulator'] };

/** How a part ended. */
interface Result {
  name: string;
  ok: boolean;
  seconds: number;
}

const TestReport = z.object({ numPassedTests: z.int(), numFailedTests: z.int(), success: z.boolean() });
const EmulatorReport = z.object({ passed: z.int(), failed: z.int() });

/** Tests that passed and failed. */
interface Counted {
  passed: number;
  failed: number;
}

runGate();

function runGate(): void {
  for (const report of [TEST_REPORT, EMULATOR_REPORT]) rmSync(`${ROOT}${report}`, { force: true });
  const parts = PARTS.map(runPart);
  const tests = runPart(TESTS);
  const emulator = runPart(EMULATOR);
  const counted = [atLeastOne(tests, countTests()), atLeastOne(emulator, countEmulator())];
  const broken = parts.filter((part) => !part.ok).length;
  const passed = counted.reduce((sum, each) => sum + each.passed, 0);
  const failed = counted.reduce((sum, each) => sum + each.failed, broken);
  console.log(`\nThe gate:\n${[...parts, tests, emulator].map(describe).join('\n')}\n`);
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed > 0 ? 1 : 0;
}

/** A suite that could not even load, or a run without a report, has no failed test to show; it is a failure all the same. */
function atLeastOne({ ok }: Result, { passed, failed }: Counted): Counted {
  return { passed, failed: ok ? failed : Math.max(failed, 1) };
}

function runPart({ name, script }: Part): Result {
  console.log(`\n── ${name} ──`);
  const began = performance.now();
  const { status } = spawnSync('npm', ['run', '--silent', ...script], {
    cwd: ROOT,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return { name, ok: status === 0, seconds: (performance.now() - began) / 1000 };
}

function countTests(): Counted {
  if (!existsSync(`${ROOT}${TEST_REPORT}`)) return { passed: 0, failed: 1 };
  const report = TestReport.parse(JSON.parse(readFileSync(`${ROOT}${TEST_REPORT}`, 'utf8')));
  const failed = report.success ? 0 : Math.max(report.numFailedTests, 1);
  return { passed: report.numPassedTests, failed };
}

function countEmulator(): Counted {
  if (!existsSync(`${ROOT}${EMULATOR_REPORT}`)) return { passed: 0, failed: 1 };
  return EmulatorReport.parse(JSON.parse(readFileSync(`${ROOT}${EMULATOR_REPORT}`, 'utf8')));
}

function describe({ name, ok, seconds }: Result): string {
  return `${ok ? 'ok    ' : 'FAILED'}  ${name.padEnd(16)} ${seconds.toFixed(1).padStart(6)} s`;
}
