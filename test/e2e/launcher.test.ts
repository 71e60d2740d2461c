// bin/hca.mjs alone: it finds a Node that is new enough or says which it needs, and hands over arguments, signals and exit code.
// An old Node and a foreign system are played by a preloaded script that changes what the launcher reads about its own process.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Stands in for the command: prints what it got, then does what its first argument says. */
const PROGRAM = `
const [what, ...rest] = process.argv.slice(2);
console.log('node', process.versions.node.split('.')[0], JSON.stringify(rest));
if (what === 'exit') process.exit(Number(rest[0]));
if (what === 'die') process.kill(process.pid, 'SIGTERM');
if (what === 'break') throw new Error('broken program');
if (what === 'wait') process.on('SIGINT', () => { console.log('interrupted'); process.exit(5); });
if (what === 'wait') console.log('ready');
if (what !== 'exit') setInterval(() => {}, 1000);
`;

const OLD_NODE = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '18.20.0' } });`;
const WINDOWS = `Object.defineProperty(process, 'platform', { value: 'win32' });`;

/** Everything one run of the launcher showed. */
interface Shown {
  code: number | null;
  signal: NodeJS.Signals | null;
  out: string;
  err: string;
}

let home: string;
beforeEach(() => {
  home = mkdtempSync(path.join(tmpdir(), 'hca-launcher-'));
  for (const folder of ['bin', 'dist', 'node_modules']) mkdirSync(path.join(home, folder));
  copyFileSync(path.join(ROOT, 'bin/hca.mjs'), path.join(home, 'bin/hca.mjs'));
  writeFileSync(path.join(home, 'dist/cli.mjs'), PROGRAM);
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

describe.each([
  ['a new Node', ''],
  ['an old Node, the packaged one beside it', OLD_NODE],
])('on %s', (_name, disguise) => {
  beforeEach(() => symlinkSync(path.join(ROOT, 'node_modules/node'), path.join(home, 'node_modules/node')));

  test('arguments and exit code pass through', async () => {
    const shown = await finish(launch(['exit', '4', 'a b', '--c="d"'], disguise));
    expect(shown).toMatchObject({ code: 4, err: '' });
    expect(shown.out).toMatch(/^node (2[4-9]|[3-9]\d) \["4","a b","--c=\\"d\\""\]\n$/);
  });

  test('a program that dies of a signal ends the launcher by the same signal', async () => {
    expect(await finish(launch(['die'], disguise))).toMatchObject({ code: null, signal: 'SIGTERM' });
  });

  test('an interrupt reaches the program once, and its exit code comes back', async () => {
    const child = launch(['wait'], disguise);
    child.stdout?.on('data', (data: Buffer) => data.includes('ready') && child.kill('SIGINT'));
    const shown = await finish(child);
    expect(shown.code).toBe(5);
    expect(shown.out.match(/interrupted/g)).toHaveLength(1);
  });

  test('a program that breaks is exit code 1 with its message', async () => {
    const shown = await finish(launch(['break'], disguise));
    expect(shown.code).toBe(1);
    expect(shown.err).toContain('broken program');
  });
});

describe('where it cannot run', () => {
  test('an old Node without the packaged one: which Node it needs, how to get it, exit code 6', async () => {
    const shown = await finish(launch(['exit', '0'], OLD_NODE));
    expect(shown).toMatchObject({ code: 6, out: '' });
    expect(shown.err).toMatch(
      /needs Node 24 or newer; this is Node 18\.20\.0.*approve node, then npm rebuild node.*nodejs\.org/s,
    );
  });

  test('a packaged Node that is itself too old does not count', async () => {
    const old = path.join(home, 'node_modules/node');
    mkdirSync(path.join(old, 'bin'), { recursive: true });
    writeFileSync(path.join(old, 'package.json'), '{"version": "20.1.0"}');
    writeFileSync(path.join(old, 'bin/node'), '');
    expect(await finish(launch(['exit', '0'], OLD_NODE))).toMatchObject({ code: 6 });
  });

  test('Windows: one line that points at WSL, exit code 2', async () => {
    const shown = await finish(launch(['exit', '0'], WINDOWS));
    expect(shown).toMatchObject({ code: 2, out: '' });
    expect(shown.err).toMatch(/^[^\n]*WSL[^\n]*\n$/);
  });
});

function launch(args: string[], disguise: string): ChildProcess {
  const preload = path.join(home, 'disguise.cjs');
  const guard = `if (process.argv[1].endsWith('hca.mjs')) { ${disguise} }`;
  writeFileSync(preload, guard);
  const nodeFlags = ['--require', preload, path.join(home, 'bin/hca.mjs')];
  return spawn(process.execPath, [...nodeFlags, ...args], { cwd: tmpdir(), stdio: ['ignore', 'pipe', 'pipe'] });
}

async function finish(child: ChildProcess): Promise<Shown> {
  const shown: Shown = { code: null, signal: null, out: '', err: '' };
  child.stdout?.on('data', (data: Buffer) => (shown.out += String(data)));
  child.stderr?.on('data', (data: Buffer) => (shown.err += String(data)));
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  return { ...shown, code, signal };
}
