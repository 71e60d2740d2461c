// From a goal and a workspace to criteria: goal checks, guards, the diff guard.
import { describe, expect, it } from 'vitest';
import { Criterion } from '#shared/contracts/criterion.ts';
import { writeCriteria } from '#shared/domain/harness/criteria.ts';
import { readGoal } from '#shared/domain/harness/goal.ts';
import { certification, criteriaFor, scripts } from '#test/support/code-fix.ts';
import { GENERATED } from '#test/support/generated-workspaces.ts';

const files = {
  'package.json': scripts({ lint: 'eslint .', 'format:check': 'prettier --check .', test: 'node --test' }),
};
const goals = (goal: string, more: Record<string, string> = files): string[] =>
  criteriaFor(goal, more)
    .criteria.filter((one) => one.goal)
    .map((one) => one.id);
const guard = (goal: string) => criteriaFor(goal, files).criteria.find((one) => one.check.kind === 'diff')!;

describe('criteria of a goal', () => {
  it('are the checks it names; the others of the workspace are guards', () => {
    const { criteria, uncovered } = criteriaFor('make lint pass', files);
    expect(uncovered).toEqual([]);
    expect(criteria.map(({ id, goal, level }) => [id, goal, level])).toEqual([
      ['lint', true, 'must'],
      ['diff', false, 'must'],
      ['format-check', false, 'must'],
      ['test', false, 'must'],
    ]);
    expect(criteria[0]).toMatchObject({
      clause: 'make lint pass',
      project_check: 'lint',
      check: { command: 'eslint .', cwd: '.' },
    });
  });

  it('cover every wording of the same wish', () => {
    expect(goals('make all checks pass')).toEqual(['lint', 'format-check', 'test']);
    expect(goals('fix code style')).toEqual(['lint', 'format-check']);
    expect(goals('get prettier green')).toEqual(['format-check']);
    expect(goals('make npm run format:check pass')).toEqual(['format-check']);
  });

  it.each(GENERATED.map((one) => [one.name, one] as const))('are found in %s', (_name, workspace) => {
    const { criteria, uncovered } = criteriaFor(workspace.goal, workspace.files);
    expect(uncovered).toEqual([]);
    const asked = criteria.filter((one) => one.goal).map((one) => one.project_check);
    expect(asked.some((id) => workspace.red.includes(id ?? ''))).toBe(true);
    for (const one of criteria) expect(Criterion.safeParse(one).success).toBe(true);
  });

  it('take a check that covers a kind among others where there is no other', () => {
    expect(goals('make the formatter pass', { 'package.json': scripts({ lint: 'biome check .' }) })).toEqual(['lint']);
  });

  it('are those of a folder when the goal names one with checks, else only that folder may change', () => {
    const monorepo = {
      'package.json': '{"workspaces":["packages/*"]}',
      'packages/a/package.json': scripts({ lint: 'eslint .' }),
      'packages/b/package.json': scripts({ lint: 'eslint .' }),
    };
    expect(goals('fix lint in packages/a', monorepo)).toEqual(['packages-a-lint']);
    const { criteria } = criteriaFor('fix lint in src/core', files);
    expect(criteria.find((one) => one.id === 'diff')?.check).toMatchObject({ allow: ['src/core', 'src/core/**'] });
  });
});

describe('clauses that nothing can check', () => {
  it.each([
    ['make lint and types pass', 'no type check'],
    ['make mypy pass', 'runs mypy'],
    ['make npm run lint:strict pass', 'called "lint:strict"'],
  ])('%s', (goal, reason) => {
    expect(criteriaFor(goal, files).uncovered[0]?.reason).toContain(reason);
  });

  it('without any project', () => {
    expect(criteriaFor('make the tests pass', {}).uncovered).toHaveLength(1);
  });

  it('are covered by what a person gives', () => {
    const given = Criterion.parse({
      id: 'mine',
      text: 'mine',
      goal: true,
      check: { kind: 'command', command: 'true' },
    });
    expect(criteriaFor('make types pass', files, [given]).uncovered).toEqual([]);
    expect(criteriaFor('make types pass', files, [{ ...given, goal: false }]).uncovered).toHaveLength(1);
  });
});

describe('the guard on the change', () => {
  it('lets fixers tidy tests for a lint goal, not for a test goal, not when the goal says so', () => {
    expect(guard('make lint pass').check).toMatchObject({ fix_tests: true, frozen_if_red: [] });
    expect(guard('make the tests pass').check).toMatchObject({ fix_tests: false });
    expect(guard("make lint pass, don't touch the tests").check).toMatchObject({ fix_tests: false });
    expect(guard('make lint and tests pass').check).toMatchObject({ fix_tests: true, frozen_if_red: ['test'] });
  });

  it('has the limits of the wording', () => {
    expect(guard('make lint pass and touch at most 3 files').check).toMatchObject({ max_files: 3 });
    expect(guard("make lint pass, don't touch src/gen").check).toMatchObject({ forbid: ['src/gen', 'src/gen/**'] });
    expect(guard('make lint pass; only change files in src/').check).toMatchObject({ allow: ['src', 'src/**'] });
  });

  it('allows what a given criterion allows', () => {
    const given = Criterion.parse({
      id: 'mine',
      text: 'mine',
      goal: true,
      check: { kind: 'command', command: 'true' },
      allows: ['config'],
    });
    expect(criteriaFor('make lint pass', files, [given]).criteria.find(({ id }) => id === 'diff')?.allows).toEqual([
      'config',
    ]);
  });
});

describe('criteria handed down', () => {
  it('are kept and not written twice', () => {
    const first = criteriaFor('make lint pass', files).criteria;
    const again = criteriaFor('make lint pass', files, first).criteria;
    expect(again.map(({ id }) => id).toSorted()).toEqual(first.map(({ id }) => id).toSorted());
    expect(again.find(({ id }) => id === 'diff')).toEqual(first.find(({ id }) => id === 'diff'));
  });
});

describe('scripted criteria', () => {
  it('get the numbers of the goal', () => {
    const goal = readGoal('certify: fail review 2 times', certification.families);
    const { criteria } = writeCriteria({ goal, project: null, harness: certification });
    expect(criteria.map(({ id }) => id)).toEqual(['reviewed-2', 'diff']);
    const { check } = criteria[0]!;
    const matches = check.kind === 'file' ? new RegExp(check.matches ?? '', 'm') : /never/;
    expect([1, 2, 3, 4].map((attempt) => matches.test(`attempt ${'x'.repeat(attempt)}\n`))).toEqual([
      false,
      false,
      true,
      true,
    ]);
  });
});
