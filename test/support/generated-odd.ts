// Generated workspaces whose folders are odd: names with spaces, other line ends, binary files, links, programs, a virtual environment.
import { chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import {
  BIOME,
  biome,
  biomeConfig,
  ESLINT,
  eslint,
  eslintConfig,
  type GeneratedWorkspace,
  greeting,
  greetingTest,
  loose,
  manifest,
} from './generated-parts.ts';

/** `lay`: what text files cannot say. `needs`: commands of the machine without which it cannot be tried here. */
export type OddWorkspace = GeneratedWorkspace & { lay?: (folder: string) => void; needs?: readonly string[] };

/** Bytes that are no text in any encoding. */
export const BINARY = Uint8Array.from({ length: 4096 }, (_, at) => (at * 37) % 256);

const crlf = (text: string): string => text.replaceAll('\n', '\r\n');

export const ODD_WORKSPACES: readonly OddWorkspace[] = [
  {
    ...eslint,
    name: 'größe & ürün, 日本 (eslint)',
    goal: 'make lint and tests pass',
    red: ['lint'],
    files: {
      ...manifest('odd-names', { scripts: { lint: 'eslint .', test: 'node --test' }, devDependencies: ESLINT }),
      ...eslintConfig,
      'src/the greeting – größe.js': greeting['src/greeting.js'] ?? '',
      'test/odd.test.js': (greetingTest['test/greeting.test.js'] ?? '').replace(
        'greeting.js',
        'the greeting – größe.js',
      ),
    },
  },
  {
    ...eslint,
    name: 'eslint-line-ends',
    goal: 'fix the lint errors',
    red: ['lint'],
    files: {
      ...manifest('line-ends', { scripts: { lint: 'eslint .' }, devDependencies: ESLINT }),
      ...eslintConfig,
      'src/greeting.js': crlf(greeting['src/greeting.js'] ?? ''),
    },
  },
  {
    ...biome,
    name: 'biome-binary-programs-links',
    goal: 'make lint pass',
    attempts: 2,
    red: ['lint', 'test'],
    files: {
      ...manifest('mixed', { scripts: { lint: 'biome lint .', test: 'node --test' }, devDependencies: BIOME }),
      ...biomeConfig,
      ...loose,
      'bin/run.js':
        "#!/usr/bin/env node\nimport { isZero } from '../src/loose.js';\n\nprocess.exitCode = isZero(1) == true ? 1 : 0;\n",
    },
    lay: (folder) => {
      chmodSync(path.join(folder, 'bin/run.js'), 0o755);
      mkdirSync(path.join(folder, 'assets'));
      writeFileSync(path.join(folder, 'assets/logo.bin'), BINARY);
      symlinkSync('../src/loose.js', path.join(folder, 'bin/loose.js'));
      symlinkSync('assets', path.join(folder, 'pictures'));
    },
  },
  {
    ...eslint,
    name: 'node-test-behind-a-chain',
    goal: 'make the tests pass',
    red: ['test'],
    files: {
      ...manifest('chained', { scripts: { test: 'NODE_ENV=test eslint src && node --test' }, devDependencies: ESLINT }),
      ...eslintConfig,
      ...greeting,
      ...greetingTest,
    },
  },
  python('ruff', { goal: 'make ruff pass', section: '[tool.ruff.lint]\nselect = ["E", "F", "UP"]\n', red: ['ruff'] }),
  python('black', { goal: 'make black happy', section: '[tool.black]\nline-length = 88\n', red: ['black'] }),
];

function python(tool: string, { section, ...rest }: { goal: string; section: string; red: string[] }): OddWorkspace {
  return {
    ...rest,
    name: `python-${tool}`,
    packages: [],
    git: true,
    attempts: 1,
    files: {
      'pyproject.toml': `[project]\nname = "sample"\nversion = "0.1.0"\n\n${section}`,
      'sample/names.py':
        'import os\nfrom typing import List\n\n\ndef shout(names: List[str]) -> List[str]:\n    return [ name.upper() for name in names ]\n',
    },
    needs: [tool],
    lay: (folder) => linkEnvironment(tool, folder),
  };
}

/** A virtual environment elsewhere, linked as a whole: the one that holds the tool. */
function linkEnvironment(tool: string, folder: string): void {
  const found = whereIs(tool);
  const home = found === null ? null : path.dirname(path.dirname(found));
  if (home !== null && existsSync(path.join(home, 'pyvenv.cfg'))) symlinkSync(home, path.join(folder, '.venv'));
}

/** Where a command is: in the folder HCA_TEST_TOOLS names, or on the PATH without what npm puts there. */
export function whereIs(command: string): string | null {
  const folders = [process.env.HCA_TEST_TOOLS ?? '', ...(process.env.PATH ?? '').split(':')];
  const usable = folders.filter((one) => path.isAbsolute(one) && !one.includes('node_modules'));
  return usable.map((one) => path.join(one, command)).find((file) => existsSync(file)) ?? null;
}
