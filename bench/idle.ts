// What an idle host holds in memory: after its start, and after one real task.
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { makeProject } from '#test/support/command.ts';
import { inFolder } from './folder.ts';
import { residentOf, runScript } from './host-process.ts';
import type { Figure } from './table.ts';

const ROUNDS = 3;
/** Long enough for what was begun to be over. */
const SETTLE_MS = 2000;

export const measure = async (): Promise<Figure[]> => {
  const [started, used]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    await inFolder(async (folder) => {
      const home = path.join(folder, 'home');
      await runScript('cli/main.ts', ['up', '--home', home]);
      await pause(SETTLE_MS);
      started.push(residentOf(home));
      await runScript('cli/main.ts', ['run', 'make lint pass', '--workspace', makeProject(folder), '--home', home]);
      await pause(SETTLE_MS);
      used.push(residentOf(home));
      await runScript('cli/main.ts', ['down', '--home', home]);
    });
  }
  return [
    { name: 'idle host after its start', unit: 'MB', times: started, target: '< 120' },
    { name: 'idle host after one task', unit: 'MB', times: used, target: '< 120' },
  ];
};
