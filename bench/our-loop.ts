// Our side of the loop bench: one leaf task of three iterations (fail, fail, pass) on the whole path, with tools that do nothing.
import { createRuntime, type Runtime } from '#local/runtime.ts';
import { noOpHolarchy, noOpOutside } from '#test/support/no-op-house.ts';
import { submit, TENANT, taskOf } from '#test/support/submit.ts';

/** Reviews fail twice and pass at the third iteration. */
const PASSES_AT = 3;

/** A house whose evaluator reads `done` from the third iteration on. */
export const ourHouse = async (folder: string): Promise<Runtime> => {
  const written = new Map<string, number>();
  const house = createRuntime({
    folder,
    outside: () =>
      noOpOutside((call, { task }) => {
        if (call.tool !== 'filesystem.read_file') written.set(task, (written.get(task) ?? 0) + 1);
        return (written.get(task) ?? 0) >= PASSES_AT ? 'done' : 'not yet';
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

/** Checks that a task really went the whole way. */
export const assertWhole = async (house: Runtime, id: string): Promise<void> => {
  const { state, attempts } = await taskOf(house, id);
  const results = attempts.map(({ result }) => result).join();
  if (state !== 'completed' || results !== 'fail,fail,pass') throw new Error(`not the whole loop: ${state} ${results}`);
};
