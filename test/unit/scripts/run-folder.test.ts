// A run's folder goes with its run, or with the next one when it was killed; that of a run that goes on stays.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { runFolder } from '#scripts/run-folder.ts';

const top = mkdtempSync(path.join(os.tmpdir(), 'hca-runs-'));
afterAll(() => rmSync(top, { recursive: true, force: true }));

/** Number of a process that was there. */
const dead = (): number => spawnSync(process.execPath, ['--version']).pid;

describe('the folder of a run', () => {
  test('is there until it is taken away', () => {
    const { folder, remove } = runFolder('one', top);
    expect([existsSync(folder), path.dirname(folder)]).toEqual([true, top]);
    mkdirSync(path.join(folder, 'inside'));
    remove();
    expect(existsSync(folder)).toBe(false);
  });

  test('goes with the next run when its own was killed, and no other does', () => {
    const [killed, other] = [`hca-two-${dead()}-abcdef`, `hca-three-${dead()}-abcdef`];
    const alive = `hca-two-${process.pid}-abcdef`;
    for (const name of [killed, other, alive, 'hca-two-notes']) mkdirSync(path.join(top, name));
    const { folder } = runFolder('two', top);
    expect(readdirSync(top).sort()).toEqual([other, alive, 'hca-two-notes', path.basename(folder)].sort());
  });
});
