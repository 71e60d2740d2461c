// Judges one criterion from its runs: before the work, and after it by producer and evaluator (L2-EVL-03; requirements section 3).
import type { CheckResult, CheckRun, Criterion } from '#shared/contracts/criterion.ts';
import { newFailures } from './failures.ts';
import { PASSES } from './judge.ts';

/** Runs of one criterion on the untouched tree and on the tree that is judged. */
export type Runs = { before: readonly CheckRun[]; after: readonly CheckRun[] };

/** Longest lists of a result; a criterion has up to 200 failures, what is told of them is bounded. */
const TOLD = 50;
const EVIDENCE = 16;

/**
 * `met`: a goal's check passes; a guard passes or fails with nothing new. `flaky`: two runs of one tree differ, neither
 * pass nor fail. `unchecked`: it did not run, which is never a pass. A guard that is flaky, or that could not run before the work either,
 * is no longer a must.
 */
export function judgeCheck(criterion: Criterion, runs: Runs): CheckResult {
  const after = of(criterion, runs.after);
  const tree = after.at(-1)?.tree;
  const own = { before: of(criterion, runs.before), after: after.filter((run) => run.tree === tree) };
  const before = beforeOf(own.before);
  const red = common(own.before.filter((run) => run.outcome === 'fail'));
  const still = new Set(common(own.after));
  const red_before = (still.size === 0 ? red : red.filter((line) => still.has(line))).slice(0, TOLD);
  const told = { before, red_before, new_failures: [], evidence: evidenceOf(own) };
  const answer = judged(criterion, own, red);
  return { criterion: criterion.id, level: criterion.level, ...told, ...answer };
}

type Answer = Pick<CheckResult, 'result' | 'reason'> & Partial<CheckResult>;

function judged(criterion: Criterion, runs: Runs, redBefore: readonly string[]): Answer {
  const outcomes = new Set(runs.after.map((run) => run.outcome));
  if (outcomes.size === 0) return { result: 'unchecked', reason: 'it was not run' };
  if (outcomes.size > 1) return flaky(criterion, 'two runs of the same files differ');
  if (outcomes.has('error')) return unrunnable(criterion, runs);
  if (differ(runs.before)) return flaky(criterion, 'it differed already before the work');
  if (outcomes.has('pass')) return { result: 'met', reason: PASSES };
  const failures = common(runs.after);
  if (criterion.goal)
    return {
      result: 'unmet',
      reason: why('it fails', failures),
      new_failures: newFailures(redBefore, failures).slice(0, TOLD),
    };
  return guarded(runs, redBefore, failures);
}

const flaky = (criterion: Criterion, reason: string): Answer => ({
  result: 'flaky',
  level: criterion.goal ? criterion.level : 'should',
  reason,
});

/** A guard that was red may stay red, with nothing new. */
function guarded(runs: Runs, redBefore: readonly string[], failures: readonly string[]): Answer {
  if (runs.before.length === 0) return { result: 'unmet', reason: why('it fails, and was not run before', failures) };
  if (!runs.before.some((run) => run.outcome === 'fail'))
    return { result: 'unmet', reason: why('it passed before', failures), new_failures: failures.slice(0, TOLD) };
  const fresh = newFailures(redBefore, failures);
  if (fresh.length > 0)
    return { result: 'unmet', reason: why('new failures', fresh), new_failures: fresh.slice(0, TOLD) };
  return { result: 'met', reason: 'it was red before and has no new failure' };
}

function unrunnable(criterion: Criterion, runs: Runs): Answer {
  const reason = why('it could not be run', common(runs.after));
  const never = !criterion.goal && runs.before.length > 0 && runs.before.every((run) => run.outcome === 'error');
  return never
    ? { result: 'unchecked', level: 'should', reason: `${reason}, and neither before the work` }
    : { result: 'unchecked', reason };
}

const of = (criterion: Criterion, runs: readonly CheckRun[]): CheckRun[] =>
  runs.filter((run) => run.criterion === criterion.id);

function beforeOf(runs: readonly CheckRun[]): CheckResult['before'] {
  if (runs.length === 0 || differ(runs)) return 'unknown';
  return runs[0]?.outcome === 'error' ? 'unknown' : (runs[0]?.outcome ?? 'unknown');
}

/** Only runs of one tree can be compared. */
const differ = (runs: readonly CheckRun[]): boolean =>
  runs.some((run) => runs.some((other) => other.tree === run.tree && other.outcome !== run.outcome));

/** Failures that every run had: what comes and goes on one tree is not held against the work. */
function common(runs: readonly CheckRun[]): string[] {
  const [first, ...rest] = runs;
  return (first?.failures ?? []).filter((line) => rest.every((run) => run.failures.includes(line)));
}

const evidenceOf = (runs: Runs): string[] =>
  [...new Set([...runs.after, ...runs.before].flatMap((run) => run.evidence ?? []))].slice(0, EVIDENCE);

const why = (what: string, lines: readonly string[]): string =>
  (lines.length === 0
    ? what
    : `${what}: ${lines.slice(0, 3).join('; ')}${lines.length > 3 ? ` and ${lines.length - 3} more` : ''}`
  ).slice(0, 900);
