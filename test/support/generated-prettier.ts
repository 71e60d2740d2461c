// Generated workspaces that use prettier.
import {
  ESLINT,
  eslintConfig,
  type GeneratedWorkspace,
  greeting,
  greetingTest,
  manifest,
  PRETTIER,
  prettier,
  prettierConfig,
} from './generated-parts.ts';

export const PRETTIER_WORKSPACES: readonly GeneratedWorkspace[] = [
  {
    ...prettier,
    name: 'prettier-plain',
    goal: 'format the code with prettier',
    red: ['format'],
    files: {
      ...manifest('prettier-plain', { scripts: { format: 'prettier --write .' }, devDependencies: PRETTIER }),
      ...prettierConfig,
      ...greeting,
    },
  },
  {
    ...prettier,
    name: 'prettier-makefile',
    goal: 'make the formatter happy',
    red: ['fmt-check'],
    files: {
      Makefile: '.PHONY: fmt fmt-check\nfmt-check:\n\tprettier --check src\n\nfmt:\n\tprettier --write src\n',
      ...prettierConfig,
      ...greeting,
    },
  },
  {
    ...prettier,
    name: 'prettier-and-eslint-chain',
    goal: 'make all checks pass',
    packages: ['eslint', 'prettier'],
    red: ['lint', 'format:check'],
    files: {
      ...manifest('chain', {
        scripts: {
          check: 'npm run lint && npm run format:check && npm test',
          lint: 'eslint .',
          'format:check': 'prettier --check .',
          test: 'node --test',
        },
        devDependencies: { ...ESLINT, ...PRETTIER },
      }),
      ...eslintConfig,
      ...prettierConfig,
      ...greeting,
      ...greetingTest,
    },
  },
  {
    ...prettier,
    name: 'prettier-guards-eslint',
    goal: 'make the linter pass',
    packages: ['eslint', 'prettier'],
    red: ['lint', 'test'],
    files: {
      ...manifest('guarded', {
        scripts: { pretest: 'eslint src', test: 'node --test', lint: 'eslint .', style: 'prettier --check .' },
        devDependencies: { ...ESLINT, ...PRETTIER },
      }),
      ...eslintConfig,
      ...prettierConfig,
      'src/greeting.js': "export function greeting(name) {\n  var text = 'hello ' + name;\n  return text;\n}\n",
      ...greetingTest,
    },
  },
];
