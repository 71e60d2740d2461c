// Generated workspaces that use biome.
import {
  BIOME,
  below,
  biome,
  biomeConfig,
  type GeneratedWorkspace,
  greeting,
  greetingTest,
  loose,
  manifest,
} from './generated-parts.ts';

export const BIOME_WORKSPACES: readonly GeneratedWorkspace[] = [
  {
    ...biome,
    name: 'biome-plain',
    goal: 'make lint pass',
    red: ['lint'],
    files: {
      ...manifest('biome-plain', { scripts: { lint: 'biome check .', test: 'node --test' }, devDependencies: BIOME }),
      ...biomeConfig,
      ...greeting,
      ...greetingTest,
    },
  },
  {
    ...biome,
    name: 'biome-workspaces',
    goal: 'Please fix the lint errors in packages/core',
    attempts: 2,
    red: ['packages/core/lint', 'packages/core/test'],
    files: {
      ...manifest('biome-workspaces', {
        workspaces: ['packages/*'],
        scripts: { lint: 'npm run lint --workspaces' },
        devDependencies: BIOME,
      }),
      ...biomeConfig,
      ...below('packages/core', {
        ...manifest('core', { scripts: { lint: 'biome lint .', test: 'node --test' } }),
        ...loose,
      }),
      ...below('packages/site', {
        ...manifest('site', { scripts: { lint: 'biome lint .' } }),
        'src/site.js': "export const SITE = 'site';\n",
      }),
    },
  },
  {
    ...biome,
    name: 'biome-ci-format-without-git',
    goal: 'npm run ci:format should pass',
    git: false,
    red: ['ci:format'],
    files: {
      ...manifest('biome-ci-format', { scripts: { 'ci:format': 'biome format .' }, devDependencies: BIOME }),
      ...biomeConfig,
      ...greeting,
    },
  },
  {
    ...biome,
    name: 'biome-config-only',
    goal: 'clean up lint warnings, don’t touch the tests',
    red: ['biome'],
    files: {
      ...manifest('biome-config-only', { devDependencies: BIOME }),
      ...biomeConfig,
      ...greeting,
      ...greetingTest,
    },
  },
  {
    ...biome,
    name: 'biome-repairs-test',
    goal: 'make the linter and the tests pass',
    attempts: 2,
    red: ['lint', 'test'],
    files: {
      ...manifest('biome-repairs-test', {
        scripts: { lint: 'biome lint .', test: 'node --test' },
        devDependencies: BIOME,
      }),
      ...biomeConfig,
      ...loose,
    },
  },
];
