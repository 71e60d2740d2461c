// The example workspaces are what npm start says of them.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { nextAlternative } from '#shared/domain/harness/alternatives.ts';
import { codeFix, criteriaFor } from '#test/support/code-fix.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const EXAMPLES = path.join(ROOT, 'examples/workspaces');
const NAMES = readdirSync(EXAMPLES).filter((name) => !name.startsWith('.'));

const filesOf = (name: string): Record<string, string> => {
  const folder = path.join(EXAMPLES, name);
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => !file.includes('node_modules'));
  return Object.fromEntries(paths.map((file) => [path.relative(folder, file), readFileSync(file, 'utf8')]));
};

describe('example workspaces', () => {
  it('there are three', () => expect(NAMES).toHaveLength(3));

  it.each(NAMES)('%s has a linter and tests of its own, and alternatives of both strengths', (name) => {
    const { project, criteria, uncovered } = criteriaFor('make the linter and the tests pass', filesOf(name));
    expect(uncovered).toEqual([]);
    expect(criteria.filter((one) => one.goal).map((one) => one.id)).toEqual(['lint', 'test']);
    const question = { criteria, project, params: {} };
    expect(question.project.fixers.map(({ strength }) => strength)).toEqual(['safe', 'strong']);
    expect(nextAlternativeNames(question)).toEqual(['safe-fixes', 'strong-fixes']);
  });

  it('are named nowhere in the product: it never knows the workspaces it is shown on', () => {
    const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
      cwd: ROOT,
      encoding: 'utf8',
    });
    const product = tracked
      .split('\n')
      .filter((file) => /\.(ts|mjs|json|yaml|md|cjs)$/.test(file) && !/^(examples|test)\//.test(file));
    const naming = product.filter((file) => NAMES.some((name) => textOf(path.join(ROOT, file)).includes(name)));
    expect(product.length).toBeGreaterThan(50);
    expect(naming).toEqual([]);
  });
});

const textOf = (file: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
};

const nextAlternativeNames = (
  question: Pick<Parameters<typeof nextAlternative>[0], 'criteria' | 'project' | 'params'>,
): string[] => {
  const tried: string[] = [];
  for (;;) {
    const next = nextAlternative({
      ...question,
      harness: codeFix,
      family: 'make-checks-pass',
      tried,
      iteration: tried.length + 1,
    });
    if (next === null) return tried;
    tried.push(next.name);
  }
};
