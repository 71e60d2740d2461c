// kill -9 while tools run in the real sandbox: the work is redone from the last snapshot, once, and no process is left (pitfall 15).
import { fork } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { scratch } from '#test/support/chaos/folders.ts';
import type { SandboxReport } from '#test/support/chaos/mortal-sandbox.ts';

const DRIVER = fileURLToPath(new URL('../support/chaos/mortal-sandbox.ts', import.meta.url));
const { folder, remove } = scratch('sandbox');
afterAll(remove);

/** A life of the house: what it reported, or nothing when it was killed. */
const live = async (home: string, moment: number): Promise<SandboxReport | undefined> => {
  const child = fork(DRIVER, [`${moment}`, home], { execArgv: ['--disable-warning=ExperimentalWarning'] });
  let report: SandboxReport | undefined;
  child.on('message', (said: 'now' | SandboxReport) => {
    if (said === 'now') child.kill('SIGKILL');
    else report = said;
  });
  await new Promise((resolve) => child.once('exit', resolve));
  return report;
};

/** Processes that have the home in their command line or environment. */
const left = (home: string): string[] =>
  readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && pid !== `${process.pid}` && mentions(pid, home));

const mentions = (pid: string, home: string): boolean => {
  try {
    return ['cmdline', 'environ'].some((file) => readFileSync(`/proc/${pid}/${file}`, 'utf8').includes(home));
  } catch {
    return false;
  }
};

it('killed at every third call of a tool or the sandbox: the same change as undisturbed', async () => {
  const calm = await live(path.join(folder, 'calm'), 0);
  expect(calm?.state).toBe('completed');
  expect(calm?.files.map((file) => file.path)).toEqual(['turn.txt']);
  let killed = 0;
  for (let moment = 2; moment <= 20; moment += 3) {
    const home = path.join(folder, `${moment}`);
    const first = await live(home, moment);
    if (first === undefined) killed += 1;
    expect(first ?? (await live(home, 0)), `killed at call ${moment}`).toEqual(calm);
    expect(left(home), `killed at call ${moment}`).toEqual([]);
  }
  expect(killed).toBeGreaterThan(4);
});
