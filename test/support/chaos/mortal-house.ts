// Houses in a process of their own that is killed again and again: each opens its folder, gives its goal once, and reports when its task is over.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isTerminal } from '#shared/domain/lifecycle.ts';
import { submit, taskOf } from '#test/support/submit.ts';
import { broken, finalState, hashOf, withoutCalls } from './final-state.ts';
import { ROOT_GOAL } from './goals.ts';
import { openChaosHouse } from './house.ts';
import type { Hook } from './intercept.ts';

/** What a house says when its task is over. */
export interface Report {
  folder: string;
  hash: string;
  broken: string[];
  illegal: string[];
}

/** `moment`: the port call, of all houses together, at which this process asks to be killed while it goes on; 0 is never. */
const [moment = '0', ...folders] = process.argv.slice(2);
let calls = 0;

/** Spreads the work over the event loop, so that a kill finds it anywhere. */
const breathe: Hook = async (call) => {
  calls += 1;
  if (calls === Number(moment)) process.send?.('now');
  await new Promise((resolve) => setImmediate(resolve));
  return call.run();
};

const live = async (folder: string): Promise<void> => {
  const house = await openChaosHouse({ folder, checked: false, hooks: [breathe] });
  const note = path.join(folder, 'root');
  const isNew = !existsSync(note);
  const root = isNew ? await submit(house, { goal: ROOT_GOAL }) : readFileSync(note, 'utf8');
  if (isNew) writeFileSync(note, root);
  house.start();
  await house.idle();
  const { state } = await taskOf(house, root);
  if (!isTerminal(state)) throw new Error(`idle, but the task is ${state}`);
  const report: Report = {
    folder,
    hash: hashOf(withoutCalls(await finalState(house, root))),
    broken: await broken(house, root),
    illegal: house.witness.illegal,
  };
  process.send?.(report);
  await house.close();
};

await Promise.all(folders.map(live));
process.disconnect();
