// A run without a single test is told from one with tests, by what the runners print.
import { describe, expect, it } from 'vitest';
import { ranNoTests } from '#shared/domain/harness/no-tests.ts';
import { detect, scripts } from '#test/support/code-fix.ts';

describe('what runners print', () => {
  it.each([
    ['node', 'TAP version 13\n1..0\n# tests 0\n# suites 0\n# pass 0'],
    ['node, spec', 'ℹ tests 0\nℹ suites 0\nℹ pass 0'],
    ['jest', 'No tests found, exiting with code 0'],
    ['vitest', 'No test files found, exiting with code 0\n\ninclude: **/*.test.ts'],
    ['mocha', '\n\n  0 passing (1ms)\n'],
    ['pytest', '=========== no tests ran in 0.01s ==========='],
    ['unittest', '----------\nRan 0 tests in 0.000s\n\nOK'],
    ['cargo', 'running 0 tests\n\ntest result: ok. 0 passed; 0 failed'],
    ['go', '?   \texample.org/a\t[no test files]'],
  ])('%s: nothing was run', (_name, output) => expect(ranNoTests(output)).toBe(true));

  it.each([
    ['node', '# tests 3\n# pass 3'],
    ['jest', 'Tests:       2 passed, 2 total'],
    ['two packages, one without tests', '# tests 0\n# pass 0\n# tests 4\n# pass 4'],
    ['cargo with empty doc tests', 'running 2 tests\ntest result: ok. 2 passed\nrunning 0 tests\n0 passed'],
    ['go', 'ok  \texample.org/a\t0.012s\n?   \texample.org/b\t[no test files]'],
    ['a linter', 'All files pass.'],
    ['nothing', ''],
  ])('%s: something was run, or nothing is said', (_name, output) => expect(ranNoTests(output)).toBe(false));
});

describe('a script that does nothing', () => {
  it.each(['echo ok', 'true', ':', 'exit 0', 'echo "Error: no test specified" && exit 1', 'printf done; exit 0'])(
    '%s is no check',
    (test) => expect(detect({ 'package.json': scripts({ test }) }).checks).toEqual([]),
  );

  it.each(['echo start && node check.js', './run-tests.sh', 'echo $(node check.js)'])('%s is one', (test) =>
    expect(detect({ 'package.json': scripts({ test }) }).checks.map((check) => check.id)).toEqual(['test']),
  );

  it('that asks packages for a script none of them has is no check', () => {
    const root = scripts({ test: 'npm test --workspaces --if-present' }, { workspaces: ['packages/*'] });
    const member = (test: string) => ({
      'package.json': root,
      'packages/a/package.json': scripts({ [test]: 'node t.js' }),
    });
    expect(detect(member('start')).checks).toEqual([]);
    expect(detect(member('test')).checks.map((check) => check.command)).toContain('node t.js');
  });

  it('does not hide the tests that are there', () => {
    const files = { 'package.json': scripts({ test: 'echo ok' }), 'test/a.test.js': '' };
    expect(detect(files).checks.map((check) => check.command)).toEqual(['node --test']);
  });
});
