// The tarball works where a stranger installs it: packed, installed in an empty folder, run from another project's folder, on the
// machine's own Node (whatever its age) and on the one that hca brings (docs/decisions/0001).

import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const { version } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as { version: string };

describe('the packed tarball', () => {
  const scratch = mkdtempSync(path.join(tmpdir(), 'hca-pack-'));
  const home = path.join(scratch, 'home');
  const project = path.join(scratch, 'project');
  const launcher = path.join(home, 'node_modules', '.bin', 'hca');
  let contents: string[] = [];

  beforeAll(async () => {
    for (const folder of [home, project]) mkdirSync(folder);
    writeFileSync(path.join(home, 'package.json'), '{"private": true, "allowScripts": {"node": true}}');
    writeFileSync(path.join(project, 'package.json'), '{"name": "somebody-elses", "private": true}');
    const packed = await run('npm', ['pack', '--json', '--pack-destination', scratch], { cwd: ROOT });
    const listing = readListing(packed.stdout);
    contents = listing.files;
    await run('npm', ['install', '--no-audit', '--no-fund', path.join(scratch, listing.filename)], {
      cwd: home,
      env: { ...process.env, PATH: machinePath() },
    });
  });
  afterAll(() => rmSync(scratch, { recursive: true, force: true }));

  test('holds what runs and nothing else', () => {
    expect(contents).toEqual(expect.arrayContaining(['bin/hca.mjs', 'dist/cli.mjs', 'dist/local.mjs', 'LICENSE']));
    expect(
      contents.filter((file) => /^(test|shared|functions|local|cli|scripts|bench)\/|node_modules/.test(file)),
    ).toEqual([]);
  });

  test('installs one package beside itself: the Node it runs on', async () => {
    const { stdout } = await run('npm', ['ls', '--omit=dev', '--depth=1', '--json'], { cwd: home });
    const tree = JSON.parse(stdout) as { dependencies: { hca: { dependencies: Record<string, unknown> } } };
    expect(Object.keys(tree.dependencies.hca.dependencies)).toEqual(['node']);
  });

  test.each([
    ['npx', ['--prefix', home, 'hca'], machinePath()],
    [launcher, [], machinePath()],
    [launcher, [], `${path.join(home, 'node_modules', 'node', 'bin')}:${machinePath()}`],
  ])('%s %j runs from another folder', async (command, args, PATH) => {
    const options = { cwd: project, env: { ...process.env, PATH } };
    const shown = await run(command, [...args, '--version'], options);
    expect(shown.stdout).toContain(version);
    const help = await run(command, [...args, '--help'], options);
    expect(help.stdout).toMatch(/hca run/);
  });

  test('a bad option is reported by its name, with the exit code for bad input', async () => {
    const failed = await run(launcher, ['--no-such-option'], {
      cwd: project,
      env: { ...process.env, PATH: machinePath() },
    })
      .then(() => undefined)
      .catch((error: { code: number; stderr: string }) => error);
    expect(failed).toMatchObject({ code: 2, stderr: expect.stringContaining('--no-such-option') });
  });
});

/** `npm pack --json` prints what prepack prints first; the listing is the array (or, newer, the object keyed by name) at the end. */
function readListing(stdout: string): { filename: string; files: string[] } {
  const json: unknown = JSON.parse(stdout.slice(stdout.search(/^[[{]/m)));
  const [packed] = Object.values(json as Record<string, { filename: string; files: { path: string }[] }>);
  return { filename: packed!.filename, files: packed!.files.map((file) => file.path) };
}

/** PATH without the folders npm put in front of it, so that `node` is the machine's own. */
function machinePath(): string {
  return (process.env.PATH ?? '')
    .split(':')
    .filter((folder) => !folder.includes('node_modules'))
    .join(':');
}
