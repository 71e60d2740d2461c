// A criteria file of a person: what is read, and which field a mistake is named by.
import { describe, expect, it } from 'vitest';
import { readCriteria } from '#shared/domain/harness/given-criteria.ts';

const read = (file: unknown) => {
  const result = readCriteria(file);
  return result.ok ? result.criteria : result.problems.map(({ field, message }) => `${field}: ${message}`);
};

describe('criteria as a person writes them', () => {
  it('a command alone, or with its place, exit code and time', () => {
    expect(
      read(['npm test', { command: 'make check', cwd: 'app', exit: 2, timeout: '30s', id: 'made', level: 'should' }]),
    ).toMatchObject([
      {
        id: 'given-1',
        level: 'must',
        goal: true,
        check: { kind: 'command', command: 'npm test', cwd: '.', exit: 0, timeout_ms: 120_000 },
      },
      { id: 'made', level: 'should', check: { command: 'make check', cwd: 'app', exit: 2, timeout_ms: 30_000 } },
    ]);
  });

  it('a file, a schema, a limit on the diff; also below a key "criteria"', () => {
    const file = {
      criteria: [
        { file: 'dist/x.js', matches: '^export' },
        { schema: { type: 'object' }, path: 'x.json' },
        { diff: { max_files: 3, forbid: ['src/gen/**'] }, allows: ['tests'] },
      ],
    };
    expect(read(file)).toMatchObject([
      { check: { kind: 'file', path: 'dist/x.js', exists: true, matches: '^export' } },
      { check: { kind: 'schema', path: 'x.json', schema: { type: 'object' } } },
      { check: { kind: 'diff', max_files: 3, forbid: ['src/gen/**'] }, allows: ['tests'] },
    ]);
  });
});

describe('what is wrong is named with its field', () => {
  it.each([
    [null, 'criteria: the file holds no list'],
    [{ checks: [] }, 'criteria: the file holds no list'],
    [[], 'criteria: the list is empty'],
    [[42], 'criteria[0]: it is not known how to check this'],
    [[{ name: 'x' }], 'criteria[0]: it is not known how to check this'],
    [['ok', { command: '' }], 'criteria[1].command: '],
    [[{ command: ' \n# nothing' }], 'criteria[0].command: a command that runs nothing'],
    [['   '], 'criteria[0]: '],
    [[{ command: 'x', timeout: 'soon' }], 'criteria[0].timeout: a time such as "30s"'],
    [[{ command: 'x', exit: 'zero' }], 'criteria[0].exit: '],
    [[{ command: 'x', tiemout: '3s' }], 'criteria[0]: Unrecognized key: "tiemout"'],
    [[{ command: 'x', cwd: '../up' }], 'criteria[0].cwd: '],
    [[{ file: '/etc/passwd' }], 'criteria[0].file: a workspace path is relative'],
    [[{ file: 'a', matches: '(' }], 'criteria[0].matches: not a valid regular expression'],
    [[{ diff: { max_files: -1 } }], 'criteria[0].diff.max_files: '],
    [[{ command: 'x', id: 'A b' }], 'criteria[0].id: an id is'],
    [
      [
        { command: 'x', id: 'a' },
        { command: 'y', id: 'a' },
      ],
      'criteria[1].id: "a" is there twice',
    ],
  ])('%j', (file, problem) => {
    expect(read(file)[0]).toContain(problem);
  });

  it('with a remedy, and all problems at once', () => {
    const result = readCriteria([{ command: '' }, { file: '/x' }]);
    expect(result.ok ? [] : result.problems.map(({ remedy }) => remedy !== '')).toEqual([true, true]);
  });
});
