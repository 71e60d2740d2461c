// From the results of the criteria to one word with its reason (L1-REV-03), and whether a call made things worse.
import type { CheckResult, CheckRun, Criterion } from '#shared/contracts/criterion.ts';
import { newFailures } from './failures.ts';

export type Word = 'pass' | 'partial' | 'fail';

/**
 * `fail`: some must criterion is not met, whatever the cause. `partial`: every must is met, but some should fails or differs from run to
 * run. A should that could not be checked at all is told as a reservation. Nothing judged, or nothing met, is never a pass.
 */
export function verdictOf(results: readonly CheckResult[]): Word {
  if (!results.some((result) => result.result === 'met')) return 'fail';
  if (results.some((result) => result.level === 'must' && result.result !== 'met')) return 'fail';
  return results.some((result) => result.result === 'unmet' || result.result === 'flaky') ? 'partial' : 'pass';
}

/** The verdict in a sentence for a person: what is not met and why, at most 2000 characters. */
export function reasonOf(word: Word, results: readonly CheckResult[]): string {
  if (results.length === 0) return 'nothing was judged, and that is never a pass';
  const open = reservationsOf(results);
  const met = results.filter((result) => result.result === 'met').length;
  const said =
    word === 'pass'
      ? `all ${met} criteria that could be checked are met`
      : `${met} of ${results.length} criteria are met`;
  return (open.length === 0 ? said : `${said}; ${open.join('; ')}`).slice(0, 2000);
}

/** What is to be said beside an acceptance: everything that is not met, and what stays red as it was before. */
export function reservationsOf(results: readonly CheckResult[]): string[] {
  return results.flatMap((result) => {
    if (result.result !== 'met') return [`${result.criterion} is ${result.result}: ${result.reason}`];
    return result.red_before.length > 0 && result.before === 'fail' && result.reason !== PASSES
      ? [`${result.criterion} stays red as before: ${result.red_before.length} failure(s)`]
      : [];
  });
}

/** The reason of a check that passes. */
export const PASSES = 'it passes';

/**
 * True when some criterion is worse after than before: it passed and does not now, a guard has a new failure, or a goal's check has
 * more failures than before. A criterion without runs on both sides says nothing.
 */
export function gotWorse(
  criteria: readonly Criterion[],
  runs: { before: readonly CheckRun[]; after: readonly CheckRun[] },
): boolean {
  return criteria.some((criterion) => {
    const before = runs.before.find((run) => run.criterion === criterion.id);
    const after = runs.after.find((run) => run.criterion === criterion.id);
    if (before === undefined || after === undefined || after.outcome === 'pass') return false;
    if (before.outcome !== after.outcome) return before.outcome === 'pass';
    if (criterion.goal) return after.failures.length > before.failures.length;
    return newFailures(before.failures, after.failures).length > 0;
  });
}
