// Goals that are ours, in many wordings, and goals that are not (no_capability).
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readGoal } from '#shared/domain/harness/goal.ts';
import { certification, codeFix } from '#test/support/code-fix.ts';
import { FOREIGN_GOALS } from '#test/support/foreign-goals.ts';
import { MORE_FOREIGN_GOALS } from '#test/support/more-foreign-goals.ts';
import { MORE_SUPPORTED_GOALS } from '#test/support/more-supported-goals.ts';
import { SUPPORTED_GOALS } from '#test/support/supported-goals.ts';

const read = (goal: string) => readGoal(goal, codeFix.families);
const templates = (goal: string): string[] =>
  read(goal).clauses.flatMap((clause) => clause.meanings.map((one) => one.template));

describe('goals of the family', () => {
  it.each([...SUPPORTED_GOALS, ...MORE_SUPPORTED_GOALS])('is understood: %s', (goal) => {
    const reading = read(goal);
    expect(reading.uncovered).toEqual([]);
    expect(reading.reason).toBeNull();
    expect(reading.family).toBe('make-checks-pass');
  });

  it('hears which checks are meant', () => {
    expect(templates('make the linter, formatter and tests of this workspace pass')).toEqual([
      'lint',
      'format',
      'test',
    ]);
    expect(templates('fix type errors so tsc passes')).toEqual(['types', 'tool']);
    expect(templates('make everything green')).toEqual(['all']);
  });

  it('hears a limit as a clause that asks for no work', () => {
    const { clauses } = read("clean up lint warnings, don't touch the tests");
    expect(clauses.map(({ side, meanings }) => [side, meanings.map((one) => one.template)])).toEqual([
      [false, ['lint']],
      [true, ['keep-tests']],
    ]);
  });

  it('does not take what must not break for what must pass', () => {
    expect(templates('fix lint without breaking the tests')).toEqual(['lint', 'nothing']);
  });

  it('reads parameters as they were written', () => {
    const [clause] = read('make npm run Lint:Check pass').clauses;
    expect(clause?.meanings).toEqual([{ template: 'script', params: { script: 'Lint:Check' } }]);
    expect(read('make lint pass and touch at most 5 files').clauses[1]?.meanings[0]?.params).toEqual({ files: '5' });
  });
});

describe('goals of nobody', () => {
  it.each([...FOREIGN_GOALS, ...MORE_FOREIGN_GOALS])('is refused with what can be asked instead: %s', (goal) => {
    const reading = read(goal);
    expect(reading.uncovered.length).toBeGreaterThan(0);
    expect(reading.family).toBeNull();
    expect(reading.reason).toContain('make the linters, formatters, type checks and tests of a workspace pass');
  });

  it.each(['', '   ', '\n\n', '.', 'please', 'fix it', '\u0000\u0007', 'make lint pass '.repeat(40_000)])(
    'is refused: %j',
    (goal) => {
      expect(read(goal).uncovered.length).toBeGreaterThan(0);
    },
  );

  it('names only the clause that is not covered', () => {
    expect(read('make lint pass, translate the README, and fix the tests').uncovered).toEqual(['translate the README']);
  });

  it('covers nothing without families', () => {
    expect(readGoal('make lint pass', []).reason).toContain('no harness is installed');
  });
});

describe('robustness', () => {
  const goals = fc.constantFrom(...SUPPORTED_GOALS.filter((goal) => !goal.includes('\n')));

  it('one word that nobody knows makes any goal uncovered', () => {
    void fc.assert(
      fc.property(goals, fc.nat(), (goal, seed) => {
        const words = goal.split(' ');
        words.splice(seed % (words.length + 1), 0, 'zyzzyva');
        expect(read(words.join(' ')).uncovered.length).toBeGreaterThan(0);
      }),
    );
  });

  it('a foreign clause is never swallowed by a supported one', () => {
    void fc.assert(
      fc.property(
        goals,
        fc.constantFrom(', and ', '. ', '; ', ' then ', '\n'),
        fc.constantFrom('write a blog post', 'deploy it', 'delete the tests'),
        (goal, glue, foreign) => {
          expect(read(`${goal}${glue}${foreign}`).uncovered.length).toBeGreaterThan(0);
          expect(read(`${foreign}${glue}${goal}`).uncovered.length).toBeGreaterThan(0);
        },
      ),
    );
  });

  it('any text is answered, and a text of ours stays ours with other spacing and case', () => {
    void fc.assert(
      fc.property(fc.string({ maxLength: 300, unit: 'binary' }), (text) => {
        expect(typeof read(text).clauses.length).toBe('number');
      }),
    );
    void fc.assert(
      fc.property(goals, (goal) => {
        expect(read(`  ${goal.toUpperCase().replaceAll(' ', '   ')} `).uncovered).toEqual([]);
      }),
    );
  });

  it('stays quick on words that could be cut anywhere', () => {
    expect(read(`make ${'lint and '.repeat(90)}tests pass`).clauses.length).toBeGreaterThan(0);
  });
});

describe('scripted goals', () => {
  it('reads parameters and tells families apart', () => {
    const both = readGoal('certify: edit line 2 as alpha; certify: second edit line 2 as beta', certification.families);
    expect(both.clauses.map((clause) => clause.family)).toEqual(['certify-edit', 'certify-second-edit']);
    expect(both.family).toBeNull();
    expect(both.uncovered).toEqual([]);
    expect(readGoal('certify: fail review 2 times', certification.families).clauses[0]?.meanings[0]?.params).toEqual({
      fails: '2',
    });
  });

  it('every example of every family is understood', () => {
    for (const family of [...codeFix.families, ...certification.families]) {
      for (const example of family.examples) expect(readGoal(example, [family]).family, example).toBe(family.name);
    }
  });
});
