// Our side of the benches: leaf tasks on the whole path (bus, both machines, journal, review), with tools that do nothing.
import { createRuntime, type Runtime } from '#local/runtime.ts';
import { noOpHolarchy, noOpOutside } from '#test/support/no-op-house.ts';
import { submit, TENANT, taskOf } from '#test/support/submit.ts';

/** The loop that is compared: reviews fail twice and pass at the third iteration. */
export const THREE = 3;

/** A house whose evaluator reads `done` from iteration `passesAt` on. */
export const ourHouse = async (folder: string, passesAt: number): Promise<Runtime> => {
  const written = new Map<string, number>();
  const house = createRuntime({
    folder,
    outside: () =>
      noOpOutside((call, { task }) => {
        if (call.tool !== 'filesystem.read_file') written.set(task, (written.get(task) ?? 0) + 1);
        return (written.get(task) ?? 0) >= passesAt ? 'done' : 'not yet';
      }),
  });
  await house.storage.holons.load(TENANT, noOpHolarchy);
  house.start();
  return house;
};

/** One task from the offer to the end. */
export const runOne = async (house: Runtime): Promise<string> => {
  const id = await submit(house, { goal: 'take the turn', to: 'turner' });
  await house.idle();
  return id;
};

/** Many at once, from the first offer to the last end; gives their ids. */
export const runMany = async (house: Runtime, tasks: number): Promise<string[]> => {
  const ids = await Promise.all(
    Array.from({ length: tasks }, () => submit(house, { goal: 'take the turn', to: 'turner' })),
  );
  await house.idle();
  return ids;
};

/** Checks that a task really went the whole way. */
export const assertWhole = async (house: Runtime, id: string, passesAt: number): Promise<void> => {
  const { state, attempts } = await taskOf(house, id);
  const results = attempts.map(({ result }) => result).join();
  const expected = [...Array.from({ length: passesAt - 1 }, () => 'fail'), 'pass'].join();
  if (state !== 'completed' || results !== expected) throw new Error(`not the whole loop: ${state} ${results}`);
};
