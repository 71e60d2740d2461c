// Which alternative comes next, and what its calls are in a workspace.
import { describe, expect, it } from 'vitest';
import { Alternative } from '#shared/contracts/frozen-tool.ts';
import { type AlternativeQuestion, nextAlternative } from '#shared/domain/harness/alternatives.ts';
import { writeCriteria } from '#shared/domain/harness/criteria.ts';
import { estimate } from '#shared/domain/harness/estimate.ts';
import { readGoal } from '#shared/domain/harness/goal.ts';
import { missingTools, notReady } from '#shared/domain/harness/readiness.ts';
import { certification, codeFix, criteriaFor, detect, scripts } from '#test/support/code-fix.ts';
import { GENERATED } from '#test/support/generated-workspaces.ts';

const biome = { 'package.json': scripts({ lint: 'biome check .', test: 'node --test' }) };

const question = (
  goal: string,
  files: Record<string, string>,
  more: Partial<AlternativeQuestion> = {},
): AlternativeQuestion => {
  const { project, criteria } = criteriaFor(goal, files);
  return {
    harness: codeFix,
    family: 'make-checks-pass',
    criteria,
    project,
    tried: [],
    iteration: 1,
    params: {},
    ...more,
  };
};
const next = (goal: string, files: Record<string, string>, more: Partial<AlternativeQuestion> = {}) =>
  nextAlternative(question(goal, files, more));
const commands = (alternative: Alternative | null): unknown[] =>
  alternative?.calls.map((call) => call.arguments.command) ?? [];

describe('alternatives of code-fix', () => {
  it('go from the weakest to the strongest, then there are none', () => {
    const first = next('make lint pass', biome);
    const second = next('make lint pass', biome, { tried: ['safe-fixes'], iteration: 2 });
    expect(commands(first)).toEqual(['biome check --write .']);
    expect(commands(second)).toEqual(['biome check --write .', 'biome check --write --unsafe .']);
    expect(second?.rank).toBeGreaterThan(first?.rank ?? 9);
    expect(second?.calls.at(-1)?.keep).toBe('if-not-worse');
    expect(next('make lint pass', biome, { tried: ['safe-fixes', 'strong-fixes'] })).toBeNull();
  });

  it('leave out what would do the same as one that was tried', () => {
    const files = { 'package.json': scripts({ lint: 'eslint .' }) };
    expect(next('make lint pass', files, { tried: ['safe-fixes'] })).toBeNull();
  });

  it('have nothing for a goal without fixers', () => {
    expect(next('make the tests pass', { 'package.json': scripts({ test: 'node --test' }) })).toBeNull();
  });

  it('try the fixes of other checks for red tests, and undo what these do to test files', () => {
    const alternative = next('make the tests pass', biome);
    expect(alternative?.name).toBe('fixes-of-other-checks');
    expect(alternative?.calls[0]?.spare).toContain('**/*.test.*');
  });

  it('run the formatter last, for a guard that was red before only in what was touched', () => {
    const files = { 'package.json': scripts({ lint: 'eslint .', style: 'prettier --check .' }) };
    const both = ['eslint --fix .', 'prettier --write .'];
    const red = next('make lint pass', files);
    const green = next('make lint pass', files, { green: ['style'] });
    expect(commands(red)).toEqual(both);
    expect(red?.calls.map(({ tidies, touched }) => [tidies, touched])).toEqual([
      [false, null],
      [true, 'style'],
    ]);
    expect(commands(green)).toEqual(both);
    expect(green?.calls.map(({ tidies, touched }) => [tidies, touched])).toEqual([
      [false, null],
      [true, null],
    ]);
    expect(commands(next('make lint and formatting pass', files))).toEqual(['eslint --fix .', 'prettier --write .']);
  });

  it('are none where there is only something to clear up', () => {
    const files = { 'package.json': scripts({ test: 'node --test', style: 'prettier --check .' }) };
    expect(next('make the tests pass', files, { green: ['style'] })).toBeNull();
    expect(next('make the tests pass', files)).toBeNull();
  });

  it('keep to the limits of the goal', () => {
    expect(next("make lint pass, don't touch src/gen", biome)?.calls[0]?.spare).toEqual(['src/gen', 'src/gen/**']);
    expect(next('make lint pass; only change src/core', biome)?.calls[0]?.only).toEqual(['src/core', 'src/core/**']);
    expect(next('make lint pass without touching the tests', biome)?.calls[0]?.spare).toContain('**/test/**');
    expect(next('make lint pass', biome)?.calls[0]?.spare).toEqual([]);
  });

  it.each(GENERATED.map((one) => [one.name, one] as const))('%s gets as many as it needs', (_name, workspace) => {
    const tried: string[] = [];
    for (let iteration = 1; iteration <= workspace.attempts; iteration += 1) {
      const alternative = next(workspace.goal, { ...workspace.files }, { tried, iteration });
      expect(Alternative.safeParse(alternative).success).toBe(true);
      tried.push(alternative?.name ?? '');
    }
    expect(new Set(tried).size).toBe(workspace.attempts);
  });
});

describe('scripted alternatives', () => {
  const scripted = (goal: string, more: Partial<AlternativeQuestion> = {}) => {
    const reading = readGoal(goal, certification.families);
    const { criteria } = writeCriteria({ goal: reading, project: null, harness: certification });
    const params = reading.clauses[0]?.meanings[0]?.params ?? {};
    return nextAlternative({
      harness: certification,
      family: reading.family ?? '',
      criteria,
      project: null,
      tried: [],
      iteration: 1,
      params,
      ...more,
    });
  };

  it('may be taken again, with one mark more each time', () => {
    const third = scripted('certify: fail review 2 times', {
      tried: ['fail-then-pass', 'fail-then-pass'],
      iteration: 3,
    });
    expect(third?.calls[0]?.arguments).toEqual({ path: 'certified.txt', content: 'attempt xxx\n' });
  });

  it('repeat a call as often as the goal says, 200 at most', () => {
    expect(scripted('certify: exhaust the budget with 12 calls')?.calls).toHaveLength(13);
    expect(scripted('certify: exhaust the budget with 9999 calls')?.calls).toHaveLength(200);
  });

  it('declare what an offer is judged by', () => {
    expect(scripted('certify: counter')?.declares.calls).toBe(5000);
  });

  it('every family has one', () => {
    for (const family of certification.families) expect(scripted(family.examples[0] ?? ''), family.name).not.toBeNull();
  });
});

describe('estimate', () => {
  const { project, criteria } = criteriaFor('make lint pass', biome);

  it('counts the weakest alternative that has something to do, and every check before and after', () => {
    expect(estimate(codeFix, project, { family: 'make-checks-pass', criteria })).toEqual({
      calls: 1 + 4,
      time_ms: 500 + 2000 + 4 * 2000,
    });
  });

  it('knows a tool that declares more than it does', () => {
    expect(estimate(certification, null, { family: 'certify-counter', criteria: [] }).calls).toBe(5000);
    expect(estimate(certification, null, { family: 'certify-accept', criteria: [] }).calls).toBe(1);
  });

  it('is nothing for a family that is not there', () => {
    expect(estimate(codeFix, null, { family: 'cook', criteria: [] })).toEqual({ calls: 0, time_ms: 0 });
  });
});

describe('readiness', () => {
  it('names the tools that nobody has', () => {
    expect(missingTools(codeFix, 'make-checks-pass', ['shell.run'])).toEqual([]);
    expect(missingTools(codeFix, 'make-checks-pass', ['shell.*'])).toEqual([]);
    expect(missingTools(codeFix, 'make-checks-pass', ['filesystem.read_file'])).toEqual(['shell.run']);
    expect(missingTools(certification, 'certify-missing-tool', ['shell.run', 'filesystem.write_file'])).toEqual([
      'nowhere.nothing',
    ]);
  });

  it('says when a workspace has no checks', () => {
    expect(notReady(codeFix, detect({ 'README.md': '' }))).toHaveLength(1);
    expect(notReady(codeFix, detect(biome))).toEqual([]);
  });
});
