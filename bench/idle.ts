// What an idle host holds in memory, as installed (the bundle, its code cached): after its start, and after one real task.
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { makeProject } from '#test/support/command.ts';
import { inFolder } from './folder.ts';
import { residentOf, runScript, startBundle } from './host-process.ts';
import type { Figure } from './table.ts';

const COMMAND = 'cli/main.ts';
const ROUNDS = 3;
/** Long enough for what was begun to be over. */
const SETTLE_MS = 2000;

export const measure = (): Promise<Figure[]> =>
  inFolder(async (folder) => {
    const [started, used]: [number[], number[]] = [[], []];
    // The first round only fills the cache of compiled code, as the first start of an installed hca does.
    for (let round = 0; round <= ROUNDS; round += 1) {
      const [before, after] = await once(path.join(folder, String(round)), path.join(folder, 'cache'));
      if (round > 0) started.push(before);
      if (round > 0) used.push(after);
    }
    return [
      { name: 'idle host after its start', unit: 'MB', times: started, target: '< 120' },
      { name: 'idle host after one task', unit: 'MB', times: used, target: '< 120' },
    ];
  });

const once = async (folder: string, cache: string): Promise<[number, number]> => {
  const home = path.join(folder, 'home');
  await startBundle(home, cache);
  await pause(SETTLE_MS);
  const before = residentOf(home);
  await runScript(COMMAND, ['run', 'make lint pass', '--workspace', makeProject(folder), '--home', home]);
  await pause(SETTLE_MS);
  const after = residentOf(home);
  await runScript(COMMAND, ['down', '--home', home]);
  return [before, after];
};
