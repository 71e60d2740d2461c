// What the emulator tier counts: without a scenario on the endpoint's own Step Functions it has failed and says so, whatever else passed.

import { describe, expect, it } from 'vitest';
import { type Ran, summaryOf, tallyOf } from '#scripts/emulator/tally.ts';

const PATHS = 'test/emulator/paths.test.ts';
const ran: Ran = {
  steps: [
    { name: 'cdk deploy --all', ok: true, seconds: 1 },
    { name: 'emulator-paths: 3 passed, 0 failed', ok: true, seconds: 1 },
  ],
  suites: [
    {
      passed: 3,
      failed: 0,
      titles: [
        { file: PATHS, title: 'leaf: is accepted' },
        { file: PATHS, title: 'review: says no' },
        { file: PATHS, title: 'are all there, the failing ones too' },
      ],
    },
  ],
  scenarios: 102,
  executions: 500,
};
const said = (what: Ran): string => summaryOf({ name: 'an endpoint', own: false }, tallyOf(what));

describe('the tier', () => {
  it('says how many scenarios and paths ran on the own Step Functions of the endpoint', () => {
    expect(tallyOf(ran)).toMatchObject({ passed: 4, failed: 0, scenarios: 102, paths: 2, executions: 500 });
    expect(said(ran)).toContain(
      'own Step Functions: 102 scenarios (500 executions of the deployed machines) and 2 paths.',
    );
    expect(said(ran)).not.toContain('NOT MET');
  });

  it.each([
    ['no execution', { executions: 0 }],
    ['no scenario', { scenarios: 0 }],
  ])('is not met, says so and has failed with %s of the deployed machines', (_what, none) => {
    expect(tallyOf({ ...ran, ...none })).toMatchObject({ passed: 4, failed: 1, paths: 2 });
    expect(said({ ...ran, ...none })).toMatch(
      /own Step Functions: 0 scenarios .*\nTHE TIER IS NOT MET: .*\nemulator: 4 passed, 1 failed/s,
    );
  });

  it('counts a step and a suite that failed', () => {
    const steps = [{ name: 'cdk destroy --all', ok: false, seconds: 1 }];
    const suites = [{ passed: 0, failed: 1, titles: [] }];
    expect(tallyOf({ ...ran, steps, suites })).toMatchObject({ passed: 0, failed: 2 });
  });
});
