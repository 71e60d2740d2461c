// A machine that dies is not left to a timeout: sweep starts the next generation, which goes on where the record stands (architecture section 3).
import { describe, expect, it } from 'vitest';
import type { AnyRecord } from '#shared/contracts/task.ts';
import { kill } from '#test/support/chaos/acts.ts';
import { broken, finalState } from '#test/support/chaos/final-state.ts';
import { twoEvaluators } from '#test/support/chaos/holarchies.ts';
import { type ChaosHouse, openChaosHouse } from '#test/support/chaos/house.ts';
import type { Hook } from '#test/support/chaos/intercept.ts';
import { submit } from '#test/support/submit.ts';

const GOALS = ['take the turn', 'take the left and take the right'];

/** The execution that saved a record, or undefined when a message did. */
const executionOf = ({ last }: AnyRecord): string | undefined =>
  last?.at.message === null ? last.caused_by.split('#')[0] : undefined;

interface Killed {
  house: ChaosHouse;
  root: string;
  saves: string[];
  killed: string | undefined;
}

/** Runs a goal; the machine behind the n-th save of a machine's step is ended as ABORTED at that very moment. */
const runKilling = async (goal: string, n: number): Promise<Killed> => {
  const saves: string[] = [];
  let killed: string | undefined;
  const killing: Hook = async (call) => {
    const result = await call.run();
    const record = call.args[0] as AnyRecord;
    const name = call.name === 'tasks.save' ? executionOf(record) : undefined;
    if (name === undefined) return result;
    saves.push(`${record.kind} ${record.last?.step}`);
    if (saves.length !== n) return result;
    killed = `${record.kind} ${record.state} after ${record.last?.step}`;
    kill(house, name);
    return result;
  };
  const house = await openChaosHouse({ hooks: [killing], holarchy: twoEvaluators });
  house.start();
  const root = await submit(house, { goal });
  await house.idle();
  return { house, root, saves, killed };
};

/** How it ended, but for reviews, of which a new generation may ask one more. */
const ends = async ({ house, root }: Killed) => {
  const { records, ledgers } = await finalState(house, root);
  const tasks = Object.entries(records).filter(([, record]) => (record as { kind: string }).kind !== 'review');
  const attempts = Object.entries(ledgers).map(([id, ledger]) => [id, (ledger as { attempts: number }).attempts]);
  return { tasks, attempts };
};

describe.each(GOALS)('"%s"', (goal) => {
  it('ends the same when its machine is killed after any of its saves', async () => {
    const calm = await runKilling(goal, 0);
    const wanted = await ends(calm);
    await calm.house.close();
    expect(calm.saves.length).toBeGreaterThan(30);
    for (let n = 1; n <= calm.saves.length; n += 1) {
      const run = await runKilling(goal, n);
      expect(run.killed, `save ${n} was never reached`).toBeDefined();
      expect(await broken(run.house, run.root), `killed ${n}: ${run.killed}`).toEqual([]);
      expect(run.house.witness.illegal, `killed ${n}: ${run.killed}`).toEqual([]);
      expect(await ends(run), `killed ${n}: ${run.killed}`).toEqual(wanted);
      await run.house.close();
    }
  });
});
