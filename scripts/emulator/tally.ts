// What the tier counts, and what it says at its end. What ran on the emulator's own Step Functions is counted there, by its executions.

import { FAILING_ADAPTERS, FAILING_PATHS, FAILING_PROBES, REPAIRED_PROBES } from '#test/emulator/expected-failures.ts';
import type { Place } from './place.ts';
import type { SuiteResult } from './suites.ts';

/** One step of the tier. */
export interface Step {
  name: string;
  ok: boolean;
  seconds: number;
}

export interface Tally {
  steps: Step[];
  /** Tests, and steps that are no suite. */
  passed: number;
  failed: number;
  /** Tests that passed through the deployed door; named paths walked; executions that the deployed machines had. */
  scenarios: number;
  paths: number;
  executions: number;
}

/** What is known when all of it has run. `scenarios`: that passed; `executions`: that the deployed machines had. */
export interface Ran {
  steps: Step[];
  suites: readonly SuiteResult[];
  scenarios: number;
  executions: number;
}

/** A tier in which no scenario ran on the endpoint's own Step Functions has failed, whatever else passed. */
export const tallyOf = ({ steps, suites, scenarios, executions }: Ran): Tally => {
  const plain = steps.filter(({ name }) => !/: \d+ passed/.test(name));
  const sum = (of: (suite: SuiteResult) => number): number => suites.reduce((total, suite) => total + of(suite), 0);
  const isMet = onOwnMachines({ scenarios, executions }) > 0;
  return {
    steps,
    passed: sum(({ passed }) => passed) + plain.filter(({ ok }) => ok).length,
    failed: sum(({ failed }) => failed) + plain.filter(({ ok }) => !ok).length + (isMet ? 0 : 1),
    scenarios,
    paths: sum(pathsIn),
    executions,
  };
};

const PATHS_FILE = 'test/emulator/paths.test.ts';

/** Named paths that were walked on the endpoint, those expected to differ included. */
const pathsIn = ({ titles }: SuiteResult): number =>
  titles.filter(({ file, title }) => file === PATHS_FILE && /^(leaf|coordinator|review): /.test(title)).length;

/** Scenarios whose tasks ran on the endpoint's own Step Functions: none where the deployed machines had no execution. */
const onOwnMachines = ({ scenarios, executions }: Pick<Tally, 'scenarios' | 'executions'>): number =>
  executions > 0 ? scenarios : 0;

/** Tests that prove a requirement or a step of a script through the deployed door. */
export const scenariosIn = ({ titles }: SuiteResult): number =>
  titles.filter(({ file }) => file !== 'test/conformance/coverage.test.ts').length;

const expectedFailures = (): number =>
  [FAILING_ADAPTERS, FAILING_PATHS, FAILING_PROBES, REPAIRED_PROBES].reduce(
    (sum, list) => sum + Object.keys(list).length,
    0,
  );

/** The end of the tier's output. */
export const summaryOf = ({ name: place, own: isOwn }: Pick<Place, 'name' | 'own'>, tally: Tally): string => {
  const { steps, passed, failed, scenarios, paths, executions } = tally;
  const own = onOwnMachines(tally);
  return [
    '',
    `The emulator tier, on ${place}:`,
    ...steps.map(
      ({ name, ok, seconds }) => `${ok ? 'ok    ' : 'FAILED'}  ${name.padEnd(42)} ${seconds.toFixed(1).padStart(6)} s`,
    ),
    `Scenarios through the deployed door: ${scenarios}. Named paths of the machines: ${paths}. Expected failures: ${isOwn ? expectedFailures() : 0}.`,
    `On the endpoint's own Step Functions: ${own} scenarios (${executions} executions of the deployed machines) and ${paths} paths.`,
    ...(own === 0 ? ["THE TIER IS NOT MET: no scenario ran on the endpoint's own Step Functions."] : []),
    `emulator: ${passed} passed, ${failed} failed`,
    '',
  ].join('\n');
};
