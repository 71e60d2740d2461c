// What "green" may not be: a broken test that is kept, an old failure that is hidden, a test that says one thing and another, no test at all.
import { rmSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BIOME, below, ESLINT, json, loose, manifest } from '#test/support/generated-parts.ts';
import { type Ended, openRealHouse, type RealHouse } from '#test/support/real-house.ts';
import { linted, nodeTest, project } from '#test/support/small-project.ts';

let house: RealHouse;
beforeAll(async () => {
  house = await openRealHouse();
});
afterAll(() => house.close());

const row = ({ view }: Ended, id: string) => view.criteria.find((one) => one.id === id);

describe('a strong fix that breaks a test', () => {
  const rule = (level: string) => ({ linter: { rules: { suspicious: { noDoubleEquals: level } } } });
  const files = {
    ...manifest('both', { workspaces: ['packages/*'], devDependencies: BIOME }),
    'biome.json': json({ root: true, ...rule('error') }),
    ...below('packages/helped', {
      ...manifest('helped', { scripts: { lint: 'biome lint .', test: 'node --test' } }),
      ...loose,
    }),
    ...below('packages/hurt', {
      ...manifest('hurt', { scripts: { lint: 'biome lint .', test: 'node --test' } }),
      'biome.json': json({ root: false, extends: '//', ...rule('warn') }),
      'src/loose.js': 'export const isEmpty = (value) => value == 0;\n',
      'test/loose.test.js': nodeTest(
        "import { isEmpty } from '../src/loose.js';\n\ntest('an empty text counts', () => assert.ok(isEmpty('')));",
      ),
    }),
  };

  it('is dropped by itself, and the call that helps stays', async () => {
    const ended = await house.run({ goal: 'fix all lint errors', workspace: project('both', files) });
    expect(ended.view.outcome, ended.view.escalation?.detail).toBe('accepted');
    expect(ended.files).toEqual(['packages/helped/src/loose.js']);
    const worked = ended.journal.findLast((entry) => entry.text.startsWith('changed '));
    expect(worked?.text).toContain('dropped 1 of 4');
  });
});

describe('formatting that was red before a lint goal', () => {
  const untidy = 'export const tall = (n) => { return n>2 };\n';
  const files = {
    ...manifest('tidy', { scripts: { lint: 'eslint src', style: 'prettier --check src' }, devDependencies: ESLINT }),
    'eslint.config.js': "export default [{ rules: { 'no-else-return': 'error', 'no-var': 'error' } }];\n",
    'src/pick.js': 'export function pick(n) {\n  if (n > 2) {\n    return n;\n  } else {\n    return 2;\n  }\n}\n',
    'src/old.js': untidy,
    'src/both.js': `${untidy}var two = 2;\nexport { two };\n`,
  };

  it('is cleared up only where a fix left it untidy', async () => {
    const workspace = project('tidy', files, ['eslint', 'prettier']);
    const ended = await house.run({ goal: 'make lint pass', workspace });
    expect(ended.view.outcome, ended.view.escalation?.detail).toBe('accepted');
    expect(ended.files).toEqual(['src/both.js', 'src/pick.js']);
    expect(ended.patch).toContain('+let two = 2;');
    expect(ended.patch).not.toContain('-export const tall');
    expect(row(ended, 'style')).toMatchObject({ result: 'met', red_before: 2 });
  });
});

describe('tests that were red before a lint goal', () => {
  it('do not stand in the way and are told, with what fails', async () => {
    const red = nodeTest("test('the future is here', () => assert.equal(1, 2));");
    const workspace = project('red-before', { ...linted({ test: 'node --test' }), 'test/red.test.js': red });
    const ended = await house.run({ goal: 'make lint pass', workspace });
    expect(ended.view.outcome).toBe('accepted');
    expect(row(ended, 'test')).toMatchObject({ result: 'met', red_before: 1 });
    expect(row(ended, 'test')?.reason).toContain('red before');
    expect(ended.view.verdict?.reason).toContain('test stays red as before');
  });

  it('still count when a second one turns red', async () => {
    const lines = "readFileSync(new URL('../src/greeting.js', import.meta.url), 'utf8')";
    const body = `import { readFileSync } from 'node:fs';\n\ntest('old', () => assert.equal(1, 2));\ntest('untidy', () => assert.match(${lines}, /hello "\\+name/));`;
    const workspace = project('red-and-redder', {
      ...linted({ test: 'node --test' }),
      'test/red.test.js': nodeTest(body),
    });
    const ended = await house.run({ goal: 'make lint pass', workspace });
    expect(ended.view.outcome).toBe('escalated');
    expect(row(ended, 'test')).toMatchObject({ result: 'unmet', reason: expect.stringContaining('untidy') });
  });

  it('and when there is far more to read than anybody shows', async () => {
    const check = [
      "import { readFileSync } from 'node:fs';",
      "const dots = `${'.'.repeat(99)}\\n`.repeat(1000);",
      "const untidy = readFileSync('src/greeting.js', 'utf8').includes('\"+name');",
      "console.log(dots, '\\nFAIL old.js\\n', untidy ? '' : '\\nFAIL untidy.js\\n', dots);",
      'process.exitCode = 1;',
    ].join('\n');
    const workspace = project('red-and-long', { ...linted({ test: 'node check.js' }), 'check.js': check });
    const ended = await house.run({ goal: 'make lint pass', workspace });
    expect(ended.view.outcome).toBe('escalated');
    expect(row(ended, 'test')).toMatchObject({ result: 'unmet', reason: expect.stringContaining('untidy.js') });
  });
});

/** Every command knows its session, so this test passes where the work is done and fails where it is judged. */
const FLAKY = nodeTest("test('sometimes', () => assert.match(process.env.HCA_SESSION ?? '', /^work-/));");

describe('a test that says one thing and then another', () => {
  const files = { ...linted({ test: 'node --test' }), 'test/flaky.test.js': FLAKY };

  it('is no pass for the goal that asks for it', async () => {
    const ended = await house.run({ goal: 'make lint and tests pass', workspace: project('flaky-goal', files) });
    expect(ended.view.outcome).toBe('escalated');
    expect(row(ended, 'test')).toMatchObject({ result: 'flaky', level: 'must' });
  });

  it('is told as a reservation beside a goal that does not', async () => {
    const ended = await house.run({ goal: 'make lint pass', workspace: project('flaky-guard', files) });
    expect(ended.view.outcome).toBe('accepted');
    expect(row(ended, 'test')?.result).toBe('flaky');
    expect(ended.view.reservations.join()).toContain('two runs of the same files differ');
  });
});

describe('no test at all is no proof', () => {
  it.each(['echo ok', 'true', 'exit 0', 'echo "Error: no test specified" && exit 1'])('%s', async (test) => {
    const workspace = project(`empty ${test}`.replaceAll(/\W/g, '-'), linted({ test }));
    const { view } = await house.run({ goal: 'make the tests pass', workspace });
    expect(view.outcome).toBe('rejected');
    expect(view.rejected?.detail).toContain('no test');
  });

  it.each([
    ['node --test', {}],
    ['node --test && echo done', {}],
  ])('%s with nothing to run', async (test, more) => {
    const workspace = project(`no-tests ${test}`.replaceAll(/\W/g, '-'), { ...linted({ test }), ...more });
    const { view } = await house.run({ goal: 'make the tests pass', workspace });
    expect(['escalated', 'rejected']).toContain(view.outcome);
    expect(view.escalation?.detail).toContain('no test was run');
  });
});

describe('a dependency that is missing', () => {
  it('is said at once, with the command and what to do', async () => {
    const workspace = project('not-installed', linted());
    rmSync(path.join(workspace, 'node_modules'), { recursive: true });
    const ended = await house.run({ goal: 'make lint pass', workspace });
    expect(ended.view.outcome).toBe('escalated');
    expect(ended.view.escalation?.detail).toMatch(/not_ready: "biome check src.*Install the workspace's dependencies/);
    expect(ended.journal.filter((entry) => entry.text.startsWith('attempt '))).toEqual([]);
    expect(ended.files).toEqual([]);
  });
});
