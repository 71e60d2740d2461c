// Generated workspaces that use eslint.
import {
  below,
  ESLINT,
  eslint,
  eslintConfig,
  type GeneratedWorkspace,
  greeting,
  greetingTest,
  manifest,
} from './generated-parts.ts';

export const ESLINT_WORKSPACES: readonly GeneratedWorkspace[] = [
  {
    ...eslint,
    name: 'eslint-plain',
    goal: 'get eslint green',
    red: ['lint'],
    files: {
      ...manifest('eslint-plain', { scripts: { lint: 'eslint .', test: 'node --test' }, devDependencies: ESLINT }),
      ...eslintConfig,
      ...greeting,
      ...greetingTest,
    },
  },
  {
    ...eslint,
    name: 'eslint-nested-folder',
    goal: 'make lint pass',
    red: ['app/lint'],
    files: {
      'README.md': '# A folder with an application in it\n',
      ...below('app', {
        ...manifest('app', { scripts: { lint: 'eslint src' }, devDependencies: ESLINT }),
        ...eslintConfig,
        ...greeting,
      }),
    },
  },
  {
    ...eslint,
    name: 'eslint-lint-check',
    goal: 'make `npm run lint:check` pass without touching the config',
    git: false,
    red: ['lint:check'],
    files: {
      ...manifest('eslint-lint-check', {
        scripts: { 'lint:check': 'eslint .', 'lint:fix': 'npm run lint:check -- --fix' },
        devDependencies: ESLINT,
      }),
      ...eslintConfig,
      ...greeting,
    },
  },
  {
    ...eslint,
    name: 'eslint-workspaces-without-root-script',
    goal: 'fix all lint errors',
    red: ['packages/one/lint', 'packages/two/lint'],
    files: {
      ...manifest('eslint-workspaces', { workspaces: ['packages/*'], devDependencies: ESLINT }),
      ...eslintConfig,
      ...below('packages/one', { ...manifest('one', { scripts: { lint: 'eslint .' } }), ...greeting }),
      ...below('packages/two', { ...manifest('two', { scripts: { lint: 'eslint .' } }), ...greeting }),
    },
  },
  {
    ...eslint,
    name: 'eslint-script-that-writes',
    goal: 'make lint and tests pass',
    red: ['lint'],
    files: {
      ...manifest('eslint-writes', {
        scripts: { lint: 'eslint --fix .', test: 'node --test' },
        devDependencies: ESLINT,
      }),
      ...eslintConfig,
      ...greeting,
      ...greetingTest,
    },
  },
];
