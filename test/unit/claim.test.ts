// The conformance claim says no more than the suite showed: an expected failure is no pass, and a level needs all its ids and scripts.
import { describe, expect, it } from 'vitest';
import { claimOf } from '#scripts/claim.ts';
import { REQUIREMENTS } from '#test/conformance/requirements.ts';
import { SCRIPTS } from '#test/conformance/scripts.ts';

const ALL = [
  ...Object.keys(REQUIREMENTS),
  ...Object.entries(SCRIPTS).flatMap(([name, { steps }]) => steps.map((_, at) => `${name}#${at + 1}`)),
];
const test = (id: string, fails: string | null = null) => ({
  title: `${id} a test`,
  status: 'passed',
  meta: { proof: { id, fails, evidence: { seen: id } } },
});
const claim = (tests: ReturnType<typeof test>[]) =>
  claimOf(
    { success: true, testResults: [{ name: 'a.test.ts', assertionResults: tests }] },
    { version: '9.9.9', date: '2026-01-02' },
  );
const levelWithout = (id: string) =>
  claim(ALL.filter((one) => one !== id).map((one) => test(one))).conformance_claim.conformance_level;

describe('the claim', () => {
  it('counts every level and has the evidence of every id', () => {
    const { conformance_claim, evidence } = claim(ALL.map((id) => test(id)));
    expect(conformance_claim).toMatchObject({
      system_version: '9.9.9',
      conformance_level: 3,
      certification_type: 'self',
      certification_date: '2026-01-02',
      test_results: { level_1_tests: '22/22 passed', level_2_tests: '22/22 passed', level_3_tests: '20/20 passed' },
    });
    expect(evidence['L2-NEG-03']).toMatchObject({ status: 'passed', evidence: [{ seen: 'L2-NEG-03' }] });
  });

  it.each([
    ['L1-ID-01', 0],
    ['basic-holonic-flow#9', 0],
    ['L2-ESC-04', 1],
    ['complete-compound-loop#10', 1],
    ['L3-CTL-03', 2],
  ])('without %s it is level %i', (id, level) => {
    expect(levelWithout(id)).toBe(level);
  });

  it('an expected failure is not a pass, also when another test of the same id passed', () => {
    const tests = [...ALL.map((id) => test(id)), test('L2-FSM-02', 'a known gap')];
    const { conformance_claim, evidence } = claim(tests);
    expect(conformance_claim.test_results).toMatchObject({ level_2_tests: '21/22 passed' });
    expect(conformance_claim.conformance_level).toBe(1);
    expect(evidence['L2-FSM-02']).toMatchObject({ status: 'expected failure' });
  });
});
