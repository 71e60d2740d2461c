// The steps of the tier, in order. A step that fails stops those that need it and nothing else; the stacks are destroyed in any case.

import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { bootstrap, deploy, destroy } from './cdk.ts';
import { countExecutions, leftBehind } from './leftovers.ts';
import type { Place } from './place.ts';
import { startSandbox } from './sandbox.ts';
import { runSuite, type Suite, type SuiteResult } from './suites.ts';
import { type Step, scenariosIn, type Tally, tallyOf } from './tally.ts';

/** What a task costs and what forty writers do at once is measured on dynalite, whose time does not grow with an emulator's. */
const MEASURED = ['cost.test.ts', 'dynamo-journal.test.ts'];

const ADAPTERS = 'test/adapters/aws';
const EMULATOR = 'test/emulator';
const FAULTS = `${EMULATOR}/faults`;
/** What needs no deployed stack: these make machines of their own. */
const OF_ENDPOINT = ['paths.test.ts', 'probes.test.ts'];

const filesOf = (folder: string, isOne: (file: string) => boolean): string[] =>
  readdirSync(fileURLToPath(new URL(`../../${folder}`, import.meta.url)))
    .filter((file) => file.endsWith('.test.ts') && isOne(file))
    .map((file) => `${folder}/${file}`);

/** A stack is one house, and each file wants one to itself. */
const ONE_BY_ONE = ['--no-file-parallelism'];

/** Of the endpoint itself, its Step Functions by our machines; the stores and buses by the adapters' suites; the deployed stack. */
const PARTS: readonly Suite[] = [
  {
    ...{ name: 'emulator-paths', project: 'emulator', args: [], env: {} },
    files: filesOf(EMULATOR, (file) => OF_ENDPOINT.includes(file)),
  },
  {
    ...{ name: 'emulator-adapters', project: 'adapters', args: [], env: {} },
    files: filesOf(ADAPTERS, (file) => !MEASURED.includes(file)),
  },
  {
    ...{ name: 'emulator-stack', project: 'emulator', args: ONE_BY_ONE, env: {} },
    files: filesOf(EMULATOR, (file) => !OF_ENDPOINT.includes(file)),
  },
];

/** What may happen to a deployed stack, when everything else has been asked of it. */
const FAULTING: Suite = {
  ...{ name: 'emulator-faults', project: 'emulator', args: ONE_BY_ONE, env: { HCA_TEST_HOST: 'deployed' } },
  files: filesOf(FAULTS, () => true),
};

/** The scenarios, through the deployed door. */
const CONFORMANCE: Suite = {
  name: 'emulator-conformance',
  project: 'conformance',
  files: [],
  args: ONE_BY_ONE,
  env: { HCA_TEST_HOST: 'deployed' },
};

export const runTier = async (place: Place): Promise<Tally> => {
  const tier = new Tier(place);
  await tier.step('cdk bootstrap', () => bootstrap(place.endpoint));
  const sandbox = await tier.step('hca sandbox-server', () => startSandbox(place.endpoint));
  const context = sandbox === undefined ? [] : [`sandbox=${sandbox.url}`];
  const outputs = await tier.step('cdk deploy --all', () => deploy(place.endpoint, { environment: 'dev', context }));
  const told = { HCA_TEST_STACKS: JSON.stringify(outputs), HCA_TEST_SANDBOX: sandbox?.url ?? '' };
  const scenarios = await suites(tier, outputs === undefined ? null : told);
  const executions = (await tier.step('count executions', () => countExecutions(place.endpoint))) ?? 0;
  await tier.step('cdk destroy --all', () => destroy(place.endpoint, 'dev'));
  if (sandbox !== undefined) await tier.step('end the sandbox server', () => sandbox.stop());
  await tier.step('nothing billed is left', () => nothingLeft(place.endpoint));
  return tier.tally(scenarios, executions);
};

/** What is about a deployed stack runs where there is one, which `told` says. How many scenarios passed through its door. */
async function suites(tier: Tier, told: Readonly<Record<string, string>> | null): Promise<number> {
  const run = (suite: Suite): Promise<SuiteResult> => tier.suite({ ...suite, env: { ...suite.env, ...told } });
  for (const part of PARTS) await run(part);
  if (told === null) return 0;
  const scenarios = await run(CONFORMANCE);
  await run(FAULTING);
  return scenariosIn(scenarios);
}

async function nothingLeft(endpoint: string): Promise<void> {
  const left = await leftBehind(endpoint);
  if (left.length > 0) throw new Error(`left behind: ${left.join(', ')}`);
}

class Tier {
  readonly #place: Place;
  readonly #steps: Step[] = [];
  readonly #suites: SuiteResult[] = [];

  constructor(place: Place) {
    this.#place = place;
  }

  /** Undefined when it failed. */
  async step<T>(name: string, run: () => T | Promise<T>): Promise<T | undefined> {
    console.log(`\n── ${name} ──`);
    const began = performance.now();
    try {
      const value = await run();
      this.#ended({ name, ok: true, began });
      return value;
    } catch (error) {
      console.error(error instanceof Error ? error.message : error);
      this.#ended({ name, ok: false, began });
      return undefined;
    }
  }

  async suite(suite: Suite): Promise<SuiteResult> {
    console.log(`\n── ${suite.name} ──`);
    const began = performance.now();
    const result = runSuite(this.#place, suite);
    this.#suites.push(result);
    this.#ended({
      name: `${suite.name}: ${result.passed} passed, ${result.failed} failed`,
      ok: result.failed === 0,
      began,
    });
    return result;
  }

  tally(scenarios: number, executions: number): Tally {
    return tallyOf({ steps: this.#steps, suites: this.#suites, scenarios, executions });
  }

  #ended({ name, ok, began }: { name: string; ok: boolean; began: number }): void {
    this.#steps.push({ name, ok, seconds: (performance.now() - began) / 1000 });
  }
}
