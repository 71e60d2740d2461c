// Pieces of the generated workspaces: manifests, configurations, untidy sources and their tests.

/** `packages`: what must be installed. `attempts`: in which attempt it is repaired. `red`: ids of the checks that are red at first. */
export type GeneratedWorkspace = {
  name: string;
  goal: string;
  files: Readonly<Record<string, string>>;
  packages: readonly string[];
  git: boolean;
  attempts: 1 | 2;
  red: readonly string[];
};

export type Files = Record<string, string>;

export const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
export const manifest = (name: string, rest: object): Files => ({
  'package.json': json({ name, version: '1.0.0', private: true, type: 'module', ...rest }),
});
export const below = (dir: string, files: Files): Files =>
  Object.fromEntries(Object.entries(files).map(([file, text]) => [`${dir}/${file}`, text]));

export const BIOME = { '@biomejs/biome': '2.6.8' };
export const ESLINT = { eslint: '10.15.0' };
export const PRETTIER = { prettier: '3.10.1' };

export const biomeConfig: Files = {
  'biome.json': json({
    root: true,
    formatter: { indentStyle: 'space' },
    javascript: { formatter: { quoteStyle: 'single' } },
  }),
};
export const eslintConfig: Files = {
  'eslint.config.js': [
    'export default [',
    '  {',
    '    rules: {',
    "      'no-var': 'error',",
    "      'prefer-const': 'error',",
    "      'prefer-template': 'error',",
    '    },',
    '  },',
    '];',
    '',
  ].join('\n'),
};
export const prettierConfig: Files = { '.prettierrc.json': json({ singleQuote: true }) };

/** Untidy but working: a formatter and a linter both have something to say. */
export const greeting: Files = {
  'src/greeting.js': 'export function greeting( name ){\n    var text="hello "+name\n    return text\n}\n',
};
export const greetingTest: Files = {
  'test/greeting.test.js': [
    "import assert from 'node:assert/strict';",
    "import { test } from 'node:test';",
    "import { greeting } from '../src/greeting.js';",
    '',
    "test('it greets by name', () => {",
    "  assert.equal(greeting('Ada'), 'hello Ada');",
    '});',
    '',
  ].join('\n'),
};
/** Loose equality: only the stronger fix repairs it, and with it the test. */
export const loose: Files = {
  'src/loose.js': 'export function isZero(value) {\n  return value == 0;\n}\n',
  'test/loose.test.js': [
    "import assert from 'node:assert/strict';",
    "import { test } from 'node:test';",
    "import { isZero } from '../src/loose.js';",
    '',
    "test('an empty text is no zero', () => {",
    "  assert.equal(isZero(''), false);",
    '  assert.equal(isZero(0), true);',
    '});',
    '',
  ].join('\n'),
};

export const plain = { packages: [] as readonly string[], git: true, attempts: 1 as const };
export const biome = { ...plain, packages: ['@biomejs/biome'] };
export const eslint = { ...plain, packages: ['eslint'] };
export const prettier = { ...plain, packages: ['prettier'] };
