// A crash between any two effects of any step loses nothing and decides nothing twice (architecture section 2, rules 1 and 2).
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { broken, finalState, hashOf, withoutCalls } from '#test/support/chaos/final-state.ts';
import { scratch } from '#test/support/chaos/folders.ts';
import { ROOT_GOAL } from '#test/support/chaos/goals.ts';
import { type ChaosHouse, openChaosHouse } from '#test/support/chaos/house.ts';
import { killHouse, powerCut } from '#test/support/chaos/power-cut.ts';
import { witness } from '#test/support/chaos/witness.ts';
import { submit } from '#test/support/submit.ts';

const { folder: folders, remove } = scratch('cut');
afterAll(remove);

interface Run {
  house: ChaosHouse;
  root: string;
  where: string;
  writes: number;
}

/** Runs a three-level task with one revision through one power cut; the second house finishes it. */
const throughCut = async (n: number, when: 'before' | 'after'): Promise<Run> => {
  const folder = path.join(folders, `${n}-${when}`);
  const seen = witness();
  const power = powerCut(n, when);
  const first = await openChaosHouse({ folder, hooks: [power.hook], witness: seen });
  const root = await offered(first);
  first.start();
  const where = await Promise.race([power.cut, first.idle().then(() => 'never')]);
  if (where === 'never') return { house: first, root, where, writes: power.writes() };
  await killHouse(first);
  const house = await openChaosHouse({ folder, witness: seen });
  house.start();
  await house.idle();
  return { house, root, where, writes: power.writes() };
};

/** The door's own three writes are not what is cut here. */
const offered = async (house: ChaosHouse): Promise<string> =>
  submit({ ...house, ports: { ...house.storage, ...house.ports, ...storageOf(house) } }, { goal: ROOT_GOAL });

const storageOf = ({ storage }: ChaosHouse) => ({
  tasks: storage.tasks,
  ledger: storage.ledger,
  messages: storage.messages,
  holons: storage.holons,
});

describe.each(['before', 'after'] as const)('the power fails %s', (when) => {
  it('every single write of a port: the same end each time', async () => {
    const calm = await throughCut(0, when);
    const wanted = await finalState(calm.house, calm.root);
    await calm.house.close();
    expect(calm.writes).toBeGreaterThan(150);
    for (let n = 1; n <= calm.writes; n += 1) {
      const run = await throughCut(n, when);
      const what = `write ${n}, ${run.where}`;
      expect(run.where, what).not.toBe('never');
      expect(await broken(run.house, run.root), what).toEqual([]);
      expect(run.house.witness.illegal, what).toEqual([]);
      expect(run.house.witness.twice, what).toEqual([]);
      const ended = await finalState(run.house, run.root);
      expect(hashOf(withoutCalls(ended)), `${what}: ${JSON.stringify(ended)}`).toBe(hashOf(withoutCalls(wanted)));
      await run.house.close();
    }
  });
});
