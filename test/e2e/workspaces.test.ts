// The main job on workspaces the harness never saw, tool × layout: accepted, and the change really makes the workspace's own command pass.
import { execFileSync } from 'node:child_process';
import { cpSync, lstatSync, mkdirSync, readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BINARY, ODD_WORKSPACES, type OddWorkspace, whereIs } from '#test/support/generated-odd.ts';
import { GENERATED, writeWorkspace } from '#test/support/generated-workspaces.ts';
import { attemptsIn, type Ended, fingerprint, openRealHouse, type RealHouse } from '#test/support/real-house.ts';

/** What a person would type in each workspace to see that the goal is reached. */
const PROOF: Readonly<Record<string, string>> = {
  'biome-plain': 'npm run lint && npm test',
  'biome-workspaces': 'npm run lint -w packages/core && cd packages/core && npm test',
  'biome-ci-format-without-git': 'npm run ci:format',
  'biome-config-only': 'node_modules/.bin/biome check .',
  'biome-repairs-test': 'npm run lint && npm test',
  'eslint-plain': 'npm run lint && npm test',
  'eslint-nested-folder': 'cd app && PATH=../node_modules/.bin:$PATH eslint src',
  'eslint-lint-check': 'npm run lint:check',
  'eslint-workspaces-without-root-script': 'node_modules/.bin/eslint packages',
  'eslint-script-that-writes': 'node_modules/.bin/eslint . && npm test',
  'prettier-plain': 'node_modules/.bin/prettier --check .',
  'prettier-makefile': 'node_modules/.bin/prettier --check src',
  'prettier-and-eslint-chain': 'npm run check',
  'prettier-guards-eslint': 'npm run lint && npm test',
  'größe & ürün, 日本 (eslint)': 'npm run lint && npm test',
  'eslint-line-ends': 'npm run lint',
  'biome-binary-programs-links': 'npm run lint && npm test && bin/run.js',
  'node-test-behind-a-chain': 'npm test',
  'python-ruff': `${whereIs('ruff')} check .`,
  'python-black': `${whereIs('black')} --check .`,
};

const missingHere = ({ needs = [] }: OddWorkspace): string[] => needs.filter((command) => whereIs(command) === null);

const everything: readonly OddWorkspace[] = [...GENERATED, ...ODD_WORKSPACES];
const here = everything.filter((one) => missingHere(one).length === 0);
const elsewhere = everything.filter((one) => missingHere(one).length > 0);

interface Done extends Ended {
  folder: string;
  untouched: boolean;
}

let house: RealHouse;
const done = new Map<string, Done>();

const runOne = async (workspace: OddWorkspace): Promise<void> => {
  const folder = path.join(realpathSync(house.top), 'workspaces', workspace.name);
  mkdirSync(folder, { recursive: true });
  writeWorkspace({ ...workspace, git: false }, folder);
  workspace.lay?.(folder);
  if (workspace.git) commitAll(folder);
  const before = fingerprint(folder);
  const ended = await inHouse(workspace, (own) => own.run({ goal: workspace.goal, workspace: folder }));
  done.set(workspace.name, { ...ended, folder, untouched: same(before, fingerprint(folder)) });
};

/** The harder ones each have a house of their own: what one of them taught would save the next its first attempt. */
const inHouse = async <T>({ attempts }: OddWorkspace, work: (own: RealHouse) => Promise<T>): Promise<T> => {
  if (attempts === 1) return work(house);
  const own = await openRealHouse();
  return work(own).finally(() => own.close());
};

const commitAll = (folder: string): void => {
  for (const args of [
    ['init', '-q'],
    ['add', '.', ':!node_modules', ':!.venv'],
    ['commit', '-q', '-m', 'start'],
  ]) {
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], { cwd: folder });
  }
};

const same = (left: object, right: object): boolean => JSON.stringify(left) === JSON.stringify(right);

/** Two at a time, as many as there are developers in the default holarchy. */
beforeAll(async () => {
  house = await openRealHouse();
  const waiting = [...here];
  const worker = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await runOne(next);
  };
  await Promise.all([worker(), worker()]);
}, 600_000);
afterAll(() => house.close());

const ended = (name: string): Done => {
  const found = done.get(name);
  if (found === undefined) throw new Error(`${name} did not end`);
  return found;
};

describe.each(here)('$name: $goal', ({ name, attempts, red }) => {
  it('ends accepted, in the attempt that it takes, with what was red before told', () => {
    const { view, journal } = ended(name);
    expect(view.outcome, JSON.stringify(view.escalation ?? view.rejected)).toBe('accepted');
    expect(attemptsIn(journal)).toBe(attempts);
    expect(view.criteria.filter((row) => row.red_before > 0).map((row) => row.id)).toEqual(
      expect.arrayContaining(red.map((id) => id.replaceAll(/[/:]/g, '-'))),
    );
    expect(view.verdict?.producer_holon).not.toBe(view.verdict?.evaluator_holon);
  });

  it('leaves the folder as it was, to the byte', () => {
    expect(ended(name).untouched).toBe(true);
  });

  it('has a change that makes the workspace pass by its own command once it is applied', async () => {
    const { folder } = ended(name);
    const copy = `${folder} (copy)`;
    cpSync(folder, copy, { recursive: true, verbatimSymlinks: true });
    expect(exitOf(copy, PROOF[name] ?? 'false')).not.toBe(0);
    await applyTo(copy, ended(name));
    expect(exitOf(copy, PROOF[name] ?? 'false')).toBe(0);
    expect(ended(name).files.length).toBeGreaterThan(0);
  });
});

describe('what is odd about a folder stays as it is', () => {
  it('line ends', () => {
    const { patch } = ended('eslint-line-ends');
    const added = patch.split('\n').filter((line) => /^\+(?!\+\+)/.test(line));
    expect(added.length).toBeGreaterThan(0);
    expect(added.filter((line) => !line.endsWith('\r'))).toEqual([]);
  });

  it('binary files, programs and links', () => {
    const { folder, files } = ended('biome-binary-programs-links');
    const copy = `${folder} (copy)`;
    expect(files).toEqual(['bin/run.js', 'src/loose.js']);
    expect(Uint8Array.from(readFileSync(path.join(copy, 'pictures/logo.bin')))).toEqual(BINARY);
    expect(lstatSync(path.join(copy, 'bin/run.js')).mode & 0o777).toBe(0o755);
    expect(lstatSync(path.join(copy, 'bin/loose.js')).isSymbolicLink()).toBe(true);
  });
});

it.for(elsewhere.map((one) => ({ name: one.name, missing: missingHere(one).join(', ') })))(
  '$name needs $missing, which this machine does not have',
  ({ missing }, { skip }) => skip(`${missing} is not installed; HCA_TEST_TOOLS may name a folder that has it`),
);

const applyTo = async (copy: string, { changes }: Ended): Promise<void> => {
  if (changes === null) throw new Error('there is no change');
  expect(await house.ports.workspaces.apply(copy, changes, 'write')).toEqual({
    applied: changes.files.map((file) => file.path),
  });
};

/** The exit code of a command line as a person would run it, with the machine's own tools. */
const exitOf = (folder: string, command: string): number => {
  const first = path.join(folder, 'node_modules', '.bin');
  const env = { ...process.env, PATH: `${first}:${process.env.PATH ?? ''}`, npm_config_update_notifier: 'false' };
  try {
    execFileSync('/bin/sh', ['-c', command], { cwd: folder, env, stdio: 'ignore' });
    return 0;
  } catch (error) {
    return (error as { status: number }).status;
  }
};
