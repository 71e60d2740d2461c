// A change judged by itself: tests, configuration, scripts and lock files are not edited to get green.
import { describe, expect, it } from 'vitest';
import type { CheckRun, Criterion } from '#shared/contracts/criterion.ts';
import { ChangeSet, type FileChange } from '#shared/contracts/workspace.ts';
import { judgeDiff } from '#shared/domain/harness/judge-diff.ts';
import { criteriaFor, scripts } from '#test/support/code-fix.ts';

const HASH = 'a'.repeat(64);
const side = (text: string | null) => (text === null ? null : { mode: 'file' as const, sha256: HASH, text });
const file = (path: string, before: string | null, after: string | null): FileChange => ({
  path,
  before: side(before),
  after: side(after),
});

const files = { 'package.json': scripts({ lint: 'eslint .', test: 'node --test' }) };
const passed: CheckRun = { criterion: 'test', outcome: 'pass', failures: [], evidence: null, tree: 'before' };

const judge = (goal: string, changes: FileChange[], before: CheckRun[] = [passed]) => {
  const { project, criteria } = criteriaFor(goal, files);
  const guard = criteria.find((one): one is Criterion => one.check.kind === 'diff')!;
  return judgeDiff(guard, { changes: ChangeSet.parse({ base: HASH, files: changes }), before, project });
};
const LINT = 'make lint pass';
const TEST = 'make the tests pass';
const BOTH = 'make lint and tests pass';

describe('a change to get green', () => {
  it.each([
    ['a test edited', file('test/a.test.js', 'assert.equal(f(), 2);', 'assert.equal(f(), 3);'), 'edits a test'],
    ['a test deleted', file('test/a.test.js', 'x', null), 'deletes a test'],
    ['a test added', file('src/b.test.js', null, 'x'), 'adds a test'],
    ['a configuration added', file('vitest.config.ts', null, 'x'), 'adds configuration'],
    [
      'a rule turned off',
      file('eslint.config.js', "export default [{ rules: { 'no-var': 'error' } }];", 'export default [];'),
      'edits configuration',
    ],
    [
      'a script changed',
      file('package.json', '{"scripts":{"test":"node --test"}}', '{"scripts":{"test":"true"}}'),
      'edits a script',
    ],
    ['a lock file changed', file('package-lock.json', '{}', '{"a":1}'), 'edits a lock file'],
    ['a script of a nested package', file('packages/a/package.json', '{}', '{"scripts":{}}'), 'edits a script'],
    ['a suppression in the code', file('src/a.js', 'var a;', '// eslint-disable-next-line\nvar a;'), 'eslint-disable'],
    ['a type error hushed', file('src/a.ts', 'f(1);', '// @ts-expect-error\nf(1);'), '@ts-ignore'],
  ])('%s fails', (_what, change, reason) => {
    const result = judge(TEST, [file('src/ok.js', 'a', 'b'), change]);
    expect(result.result).toBe('unmet');
    expect(result.reason).toContain(reason);
    expect(result.reason).toContain(change.path);
  });

  it('in the sources alone is fine, and so is no change', () => {
    expect(judge(TEST, [file('src/a.js', 'var a;', 'const a = 1;')]).result).toBe('met');
    expect(judge(TEST, []).result).toBe('met');
  });

  it('may remove a suppression', () => {
    expect(judge(TEST, [file('src/a.js', '// eslint-disable-next-line\nvar a;', 'const a = 1;')]).result).toBe('met');
  });
});

describe('what fixers may do', () => {
  const tidied = file('test/a.test.js', 'var a = f();', 'const a = f();');
  const skipped = file('test/a.test.js', "test('a', f);", "test.skip('a', f);");

  it('tidy test files for a lint goal, never delete them or switch tests off', () => {
    expect(judge(LINT, [tidied]).result).toBe('met');
    expect(judge(LINT, [file('test/a.test.js', 'x', null)]).result).toBe('unmet');
    expect(judge(LINT, [skipped]).reason).toContain('switches a test off: skip');
  });

  it('not while the tests of the goal were red', () => {
    expect(judge(BOTH, [tidied]).result).toBe('met');
    expect(judge(BOTH, [tidied], [{ ...passed, outcome: 'fail' }]).reason).toContain('while tests were red');
    expect(judge(BOTH, [tidied], []).result).toBe('unmet');
  });

  it('lay out protected files anew', () => {
    expect(judge(TEST, [file('package.json', '{"a":1,"b":[2]}', '{\n  "a": 1,\n  "b": [2]\n}\n')]).result).toBe('met');
    expect(judge(TEST, [file('test/a.test.js', "f( 'x' , (a)=>a )", 'f("x", a => a);\n')]).result).toBe('met');
    expect(judge(TEST, [file('test/a.test.js', "equal(f(), 'a b')", "equal(f(), 'ab')")]).result).toBe('unmet');
    expect(judge(TEST, [file('pyproject.toml', '[tool.ruff]\n  a = 1\n', '[tool.ruff]\na = 1\n')]).result).toBe(
      'unmet',
    );
  });
});

describe('limits of the goal', () => {
  it('on files, paths and numbers', () => {
    const two = [file('src/a.js', 'a', 'b'), file('lib/b.js', 'a', 'b')];
    expect(judge(`${LINT}, touch at most 1 files`, two).reason).toContain('2 files change, at most 1 may');
    expect(judge(`${LINT}, don't touch lib/`, two).reason).toBe('lib/b.js must stay as it is');
    expect(judge(`${LINT}, only change files in src/`, two).reason).toBe('lib/b.js is outside src, src/**');
    expect(judge(`${LINT}, don't touch the tests`, [file('test/a.test.js', 'var a = 1', 'let a = 1')]).result).toBe(
      'unmet',
    );
  });

  it('on lines, counted on both sides', () => {
    const guard = {
      id: 'd',
      text: 'd',
      level: 'must',
      clause: null,
      goal: true,
      project_check: null,
      allows: [],
    } as const;
    const check = { kind: 'diff', max_lines: 2, forbid: [], allow: [], fix_tests: false, frozen_if_red: [] } as const;
    const changes = (after: string) => ChangeSet.parse({ base: HASH, files: [file('a.js', 'one\ntwo\nthree', after)] });
    const result = (after: string) =>
      judgeDiff(
        { ...guard, check: { ...check, forbid: [], allow: [], frozen_if_red: [] }, allows: [] },
        { changes: changes(after), before: [], project: null },
      ).result;
    expect(result('one\n2\nthree')).toBe('met');
    expect(result('1\n2\nthree')).toBe('unmet');
  });
});

describe('without a project', () => {
  it('what every workspace has is protected', () => {
    const { criteria } = criteriaFor(TEST, files);
    const guard = criteria.find((one) => one.check.kind === 'diff')!;
    const changes = ChangeSet.parse({ base: HASH, files: [file('test/certified.test.sh', null, 'exit 0')] });
    expect(judgeDiff(guard, { changes, before: [], project: null }).result).toBe('unmet');
    expect(judgeDiff(guard, { changes: null, before: [], project: null }).result).toBe('met');
  });
});
