// One check, judged from its runs: met, unmet, flaky, unchecked; no new failure (L2-EVL-03).
import { describe, expect, it } from 'vitest';
import { type CheckRun, Criterion } from '#shared/contracts/criterion.ts';
import { gotWorse, reasonOf, reservationsOf, verdictOf } from '#shared/domain/harness/judge.ts';
import { judgeCheck } from '#shared/domain/harness/judge-check.ts';

const criterion = (more: Partial<Criterion> = {}): Criterion =>
  Criterion.parse({ id: 'lint', text: 'lint', check: { kind: 'command', command: 'lint' }, ...more });
const goal = criterion({ goal: true, clause: 'make lint pass' });
const guard = criterion();

const run = (outcome: CheckRun['outcome'], failures: string[] = [], tree = 'after'): CheckRun => ({
  criterion: 'lint',
  outcome,
  failures,
  evidence: `${tree}-${outcome}`,
  tree,
});
const earlier = (outcome: CheckRun['outcome'], failures: string[] = []): CheckRun => run(outcome, failures, 'before');

describe("the goal's own check", () => {
  it('is met only if it passes', () => {
    expect(judgeCheck(goal, { before: [earlier('fail', ['a'])], after: [run('pass')] })).toMatchObject({
      result: 'met',
      before: 'fail',
      red_before: ['a'],
    });
    expect(judgeCheck(goal, { before: [earlier('fail', ['a', 'b'])], after: [run('fail', ['b'])] })).toMatchObject({
      result: 'unmet',
      red_before: ['b'],
      new_failures: [],
    });
    expect(judgeCheck(goal, { before: [earlier('pass')], after: [run('fail', ['c'])] })).toMatchObject({
      result: 'unmet',
      new_failures: ['c'],
    });
  });
});

describe('a guard', () => {
  it('that was red may stay red, with nothing new', () => {
    expect(judgeCheck(guard, { before: [earlier('fail', ['a', 'b'])], after: [run('fail', ['a'])] })).toMatchObject({
      result: 'met',
      red_before: ['a'],
    });
    expect(judgeCheck(guard, { before: [earlier('fail', ['a'])], after: [run('fail', ['a', 'b'])] })).toMatchObject({
      result: 'unmet',
      new_failures: ['b'],
    });
  });

  it('that was green must stay green', () => {
    expect(judgeCheck(guard, { before: [earlier('pass')], after: [run('fail', ['a'])] })).toMatchObject({
      result: 'unmet',
      new_failures: ['a'],
    });
  });

  it('that was never run before has no excuse', () => {
    expect(judgeCheck(guard, { before: [], after: [run('fail', ['a'])] })).toMatchObject({
      result: 'unmet',
      before: 'unknown',
    });
  });

  it('that could not run before the work either is no longer a must', () => {
    expect(judgeCheck(guard, { before: [earlier('error')], after: [run('error')] })).toMatchObject({
      result: 'unchecked',
      level: 'should',
    });
    expect(judgeCheck(guard, { before: [earlier('pass')], after: [run('error')] })).toMatchObject({
      result: 'unchecked',
      level: 'must',
    });
    expect(judgeCheck(goal, { before: [earlier('error')], after: [run('error')] })).toMatchObject({
      result: 'unchecked',
      level: 'must',
    });
  });
});

describe('a check that differs between two runs of one tree', () => {
  it('is flaky, neither pass nor fail', () => {
    const result = judgeCheck(goal, { before: [earlier('fail')], after: [run('pass'), run('fail', ['a'])] });
    expect(result).toMatchObject({ result: 'flaky', level: 'must' });
    expect(verdictOf([result, { ...result, criterion: 'x', result: 'met' }])).toBe('fail');
  });

  it('on the untouched tree is flaky too; as a guard it does not fail the work', () => {
    const result = judgeCheck(guard, { before: [earlier('pass'), earlier('fail')], after: [run('pass')] });
    expect(result).toMatchObject({ result: 'flaky', level: 'should', before: 'unknown' });
  });

  it('is not one that differs between trees', () => {
    expect(judgeCheck(goal, { before: [], after: [run('fail', ['a'], 'older'), run('pass')] }).result).toBe('met');
  });

  it('holds only what every run of the tree complains of', () => {
    const runs = [run('fail', ['a', 'comes and goes']), run('fail', ['a'])];
    expect(judgeCheck(guard, { before: [earlier('fail', ['a'])], after: runs }).result).toBe('met');
  });
});

describe('nothing run', () => {
  it('is never a pass', () => {
    const result = judgeCheck(goal, { before: [earlier('pass')], after: [] });
    expect(result).toMatchObject({ result: 'unchecked', evidence: ['before-pass'] });
    expect(verdictOf([result])).toBe('fail');
    expect(verdictOf([])).toBe('fail');
    expect(reasonOf('fail', [])).toContain('never a pass');
  });

  it('counts only runs of this criterion', () => {
    expect(judgeCheck(goal, { before: [], after: [{ ...run('pass'), criterion: 'other' }] }).result).toBe('unchecked');
  });
});

describe('the verdict', () => {
  const met = judgeCheck(goal, { before: [], after: [run('pass')] });
  const unmet = judgeCheck(goal, { before: [], after: [run('fail', ['a'])] });

  it('fails for one must, is partial for a should, passes else', () => {
    expect(verdictOf([met, met])).toBe('pass');
    expect(verdictOf([met, unmet])).toBe('fail');
    expect(verdictOf([met, { ...unmet, level: 'should' }])).toBe('partial');
    expect(verdictOf([{ ...unmet, level: 'should' }])).toBe('fail');
    expect(verdictOf([met, { ...unmet, level: 'should', result: 'unchecked' }])).toBe('pass');
  });

  it('says what is not met and what stays red', () => {
    const red = judgeCheck(guard, { before: [earlier('fail', ['a'])], after: [run('fail', ['a'])] });
    expect(reservationsOf([met, red, unmet])).toEqual([
      'lint stays red as before: 1 failure(s)',
      'lint is unmet: it fails: a',
    ]);
    expect(reservationsOf([judgeCheck(goal, { before: [earlier('fail', ['a'])], after: [run('pass')] })])).toEqual([]);
    expect(reasonOf('fail', [met, unmet])).toBe('1 of 2 criteria are met; lint is unmet: it fails: a');
  });
});

describe('worse than before', () => {
  const worse = (one: Criterion, from: CheckRun, to: CheckRun): boolean =>
    gotWorse([one], { before: [from], after: [to] });

  it('is what passed and does not, what is new for a guard, what is more for a goal', () => {
    expect(worse(guard, earlier('pass'), run('fail', ['a']))).toBe(true);
    expect(worse(guard, earlier('pass'), run('error'))).toBe(true);
    expect(worse(guard, earlier('fail', ['a']), run('fail', ['b']))).toBe(true);
    expect(worse(goal, earlier('fail', ['a', 'b']), run('fail', ['c']))).toBe(false);
    expect(worse(goal, earlier('fail', ['a']), run('fail', ['b', 'c']))).toBe(true);
  });

  it('is not what got better, stayed, or was not run', () => {
    expect(worse(guard, earlier('fail', ['a']), run('pass'))).toBe(false);
    expect(worse(guard, earlier('error'), run('fail', ['a']))).toBe(false);
    expect(gotWorse([guard], { before: [earlier('pass')], after: [] })).toBe(false);
  });
});
