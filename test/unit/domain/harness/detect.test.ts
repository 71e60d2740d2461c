// Checks and fixers found from scripts, configuration and known tools.
import { describe, expect, it } from 'vitest';
import { detect, scripts } from '#test/support/code-fix.ts';
import { GENERATED } from '#test/support/generated-workspaces.ts';

const checks = (files: Record<string, string>) => detect(files).checks;
const commands = (files: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    checks(files)
      .filter((check) => !check.named)
      .map((check) => [check.id, check.command]),
  );
const fixers = (files: Record<string, string>) =>
  detect(files).fixers.map(({ strength, command }) => `${strength}: ${command}`);

describe('generated workspaces', () => {
  it('there are at least twelve, of three tools and more layouts', () =>
    expect(GENERATED.length).toBeGreaterThanOrEqual(12));

  it.each(GENERATED.map((one) => [one.name, one] as const))(
    '%s: its red checks are found, each with a fixer',
    (_name, workspace) => {
      const project = detect(workspace.files);
      const ids = project.checks.map(({ id }) => id);
      expect(ids).toEqual(expect.arrayContaining([...workspace.red]));
      const repaired = project.fixers.map(({ check }) => check);
      expect(workspace.red.some((id) => repaired.includes(id))).toBe(true);
    },
  );
});

describe('scripts of a package', () => {
  it('come first, as their own text, with the tool they use', () => {
    const [lint] = checks({ 'package.json': scripts({ lint: 'eslint src --max-warnings 0' }), 'eslint.config.js': '' });
    expect(lint).toMatchObject({
      id: 'lint',
      kind: 'lint',
      command: 'eslint src --max-warnings 0',
      tools: ['eslint'],
      source: 'script lint',
      named: false,
    });
  });

  it('run through the package manager when they have hooks', () => {
    const files = { 'package.json': scripts({ pretest: 'eslint .', test: 'node --test' }), 'pnpm-lock.yaml': '' };
    expect(checks(files)[0]).toMatchObject({ command: 'pnpm run test', covers: ['test', 'lint'] });
  });

  it('that only write are turned into a look', () => {
    const files = {
      'package.json': scripts({ format: 'prettier --write "src/**/*.js"', lint: 'eslint --fix . && echo done' }),
    };
    expect(commands(files)).toEqual({ format: 'prettier --check "src/**/*.js"', lint: 'eslint . && echo done' });
  });

  it('are no check when an unknown one may write, or watches, deploys or builds', () => {
    const all = {
      format: 'node tools/tidy.js',
      'test:watch': 'vitest',
      deploy: 'npm test && ./ship',
      build: 'tsc -p .',
      start: 'node .',
    };
    expect(commands({ 'package.json': scripts(all) })).toEqual({});
  });

  it('with several tools cover several kinds and get the fixers of each', () => {
    const files = { 'package.json': scripts({ lint: 'eslint . && prettier --check .' }) };
    expect(checks(files)[0]?.covers).toEqual(['lint', 'format']);
    expect(fixers(files)).toEqual(['safe: eslint --fix .', 'safe: prettier --write .']);
  });

  it('made of others count only when named', () => {
    const files = {
      'package.json': scripts({ check: 'npm run lint && npm test', lint: 'eslint .', test: 'node --test' }),
    };
    expect(checks(files).map(({ id, named }) => [id, named])).toEqual([
      ['check', true],
      ['lint', false],
      ['test', false],
    ]);
  });

  it('that are extras count only when named', () => {
    expect(commands({ 'package.json': scripts({ test: 'node --test', 'test:e2e': 'playwright test' }) })).toEqual({
      test: 'node --test',
    });
  });

  it('of the workspace that fix are preferred to derived fixers', () => {
    const files = { 'package.json': scripts({ lint: 'eslint .', 'lint:fix': 'eslint . --fix --cache' }) };
    expect(fixers(files)).toEqual(['safe: eslint . --fix --cache']);
  });

  it('keep assignments and runners in front of a tool', () => {
    const files = { 'package.json': scripts({ lint: 'CI=1 npx eslint .' }) };
    expect(fixers(files)).toEqual(['safe: CI=1 npx eslint --fix .']);
  });

  it('with pipes are run as they are and get no derived fixer', () => {
    const files = { 'package.json': scripts({ lint: 'eslint . | tee lint.log' }) };
    expect(commands(files)).toEqual({ lint: 'eslint . | tee lint.log' });
    expect(fixers(files)).toEqual([]);
  });

  it('list all failures of a tool that would stop at a number', () => {
    expect(commands({ 'package.json': scripts({ lint: 'biome check .' }) })).toEqual({
      lint: 'biome check . --max-diagnostics=none',
    });
  });
});

describe('other ways to check', () => {
  it('targets of a Makefile, with prerequisites', () => {
    const files = {
      Makefile: 'check: lint test\nlint:\n\t@ruff check src\ntest:\n\tpytest -q\nfmt:\n\truff format src\n',
    };
    expect(checks(files).map(({ id, command, named }) => [id, command, named])).toEqual([
      ['check', 'make check', true],
      ['lint', 'make lint', false],
      ['test', 'make test', false],
      ['fmt', 'ruff format --check src', false],
    ]);
    expect(fixers(files)).toContain('strong: ruff check --fix --unsafe-fixes src');
  });

  it('tables of pyproject.toml', () => {
    const files = {
      'pyproject.toml': '[tool.ruff]\nline-length = 100\n[tool.black]\n[tool.isort]\n[tool.pytest.ini_options]\n',
      'app.py': '',
    };
    expect(commands(files)).toEqual({
      ruff: 'ruff check .',
      black: 'black --check .',
      isort: 'isort --check-only .',
      pytest: 'python3 -m pytest -q',
    });
  });

  it('tests of plain Python, Rust and Go', () => {
    expect(commands({ 'setup.cfg': '', 'tests/test_app.py': '' })).toEqual({
      unittest: 'python3 -m unittest discover',
    });
    expect(commands({ 'Cargo.toml': '', 'rustfmt.toml': '' })).toMatchObject({
      'cargo-test': 'cargo test --quiet',
      'cargo-fmt': 'cargo fmt --check',
    });
    expect(commands({ 'go.mod': 'module x\n' })).toMatchObject({
      'go-test': 'go test ./...',
      gofmt: 'test -z "$(gofmt -l .)"',
    });
  });

  it('configured tools only where no script checks that kind and the tool is a dependency', () => {
    const configured = { 'eslint.config.js': '', '.prettierrc': '{}' };
    const files = {
      'package.json': scripts({ lint: 'node lint.js' }, { devDependencies: { eslint: '1', prettier: '1' } }),
      ...configured,
    };
    expect(commands(files)).toEqual({ lint: 'node lint.js', prettier: 'prettier --check .' });
    expect(commands({ 'package.json': scripts({}), ...configured })).toEqual({});
  });
});
