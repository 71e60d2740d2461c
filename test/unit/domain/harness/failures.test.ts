// Failure lines of many tools, freed of everything that shifts between two runs.
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { failureLines, newFailures } from '#shared/domain/harness/failures.ts';

const ESC = String.fromCharCode(27);

describe('failures named by tools', () => {
  it('eslint: file, message and rule, without positions and the summary', () => {
    const output =
      '\n/w/src/a.js\n  1:5   error  Unexpected var  no-var\n  9:12  error  Unexpected var  no-var\n\n✖ 2 problems (2 errors, 0 warnings)\n';
    expect(failureLines(output)).toEqual([
      '/w/src/a.js:# error Unexpected var no-var',
      '/w/src/a.js:# error Unexpected var no-var (2)',
    ]);
  });

  it('biome: the headline of each diagnostic', () => {
    const output =
      'src/a.js:5:49 lint/suspicious/noDoubleEquals  FIXABLE  ━━━━━━\n\n  × Using == may be unsafe.\n\n    4 │ x\n  > 5 │ if (a == error)\n\nFound 1 error.\n';
    expect(failureLines(output)).toEqual([
      'src/a.js:# lint/suspicious/noDoubleEquals FIXABLE',
      '× Using == may be unsafe.',
    ]);
  });

  it('ruff and oxlint: the rule and what it says, not the frame around the source', () => {
    const ruff =
      'F401 [*] `os` imported but unused\n --> src/a.py:1:8\n  |\n1 | import os\n  |        ^^\n  |\nhelp: Remove unused import: `os`\n\nFound 1 error.\n';
    expect(failureLines(ruff)).toEqual(['F401 [*] `os` imported but unused']);
    const oxlint =
      '\n  ! eslint(no-debugger): `debugger` statement is not allowed\n   ,-[a.js:8:1]\n 7 | }\n 8 | debugger;\n   : ^^^^^^^^^\n   `----\n  help: Remove the debugger statement\n\nFound 1 warning and 0 errors.\n';
    expect(failureLines(oxlint)).toEqual(['! eslint(no-debugger): `debugger` statement is not allowed']);
    expect(failureLines(oxlint.replace('!', '⚠').replace(',-[', '╭─[').replace('`----', '╰────'))).toHaveLength(1);
  });

  it('node:test: the names of failing tests, not how long they took', () => {
    const output = `✔ fine (1.2ms)\n${ESC}[31m✖ adds numbers (3.4ms)${ESC}[39m\nℹ fail 1\n✖ failing tests:\n\ntest at test/a.test.js:3:1\n✖ adds numbers (3.4ms)\n  AssertionError: 1 !== 2\n      at file:///tmp/x/test/a.test.js:4:10\n`;
    expect(failureLines(output)).toEqual(['✖ adds numbers', '✖ adds numbers (2)']);
  });

  it('prettier, pytest, go, cargo and tsc', () => {
    expect(
      failureLines('Checking formatting...\n[warn] src/a.js\n[warn] Code style issues found in the above file.\n'),
    ).toEqual(['[warn] src/a.js']);
    expect(failureLines('FAILED tests/test_a.py::test_x - assert 1 == 2\n1 failed, 3 passed in 0.12s\n')).toEqual([
      'FAILED tests/test_a.py::test_x - assert 1 == 2',
    ]);
    expect(failureLines('--- FAIL: TestAdd (0.00s)\nFAIL\n')).toEqual(['--- FAIL: TestAdd']);
    expect(failureLines('test math::adds ... FAILED\n')).toEqual(['test math::adds ... FAILED']);
    expect(failureLines("src/a.ts(4,7): error TS2322: Type 'x' is not assignable.\n")).toEqual([
      "src/a.ts:#: error TS2322: Type 'x' is not assignable.",
    ]);
  });

  it('anything else: the lines that tell of a failure, or all of them', () => {
    expect(failureLines('starting\nerror: no such module\n')).toEqual(['error: no such module']);
    expect(failureLines('not what was wanted\n')).toEqual(['not what was wanted']);
    expect(failureLines('')).toEqual([]);
  });
});

describe('what shifts from run to run', () => {
  it('is left out', () => {
    const one = failureLines(
      'error in /tmp/abc123/x.js at 2026-01-02T03:04:05.678Z: 0xdeadbeef failed after 12ms, seed=42\n',
    );
    const two = failureLines(
      'error in /tmp/zzz999/x.js at 2027-11-12T13:14:15.000Z: 0x0badcafe failed after 9ms, seed=7\n',
    );
    expect(one).toEqual(two);
  });

  it('does not make other failures the same', () => {
    expect(failureLines('✖ case 1\n')).not.toEqual(failureLines('✖ case 2\n'));
  });

  it('the set is bounded, and coarser words still tell new from old', () => {
    const many = (from: number, count: number) =>
      Array.from({ length: count }, (_, at) => `src/f${from + at}.js:1:1 lint/x/rule${at} ━━━━`).join('\n');
    const before = failureLines(many(0, 190).concat('\n', many(0, 190).replaceAll('rule', 'other')));
    expect(before.length).toBeLessThanOrEqual(200);
    expect(newFailures(before, failureLines(many(0, 100)))).toEqual([]);
    expect(newFailures(before, failureLines(many(500, 1)))).toHaveLength(1);
  });

  it('is deterministic, bounded and never new against itself, whatever the output', () => {
    void fc.assert(
      fc.property(fc.string({ maxLength: 2000, unit: 'grapheme' }), (output) => {
        const lines = failureLines(output);
        expect(lines.length).toBeLessThanOrEqual(200);
        expect(lines.every((line) => line.length <= 300)).toBe(true);
        expect(newFailures(lines, failureLines(output))).toEqual([]);
      }),
    );
  });
});
