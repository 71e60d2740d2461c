// Goals outside every family, through the whole house: each is refused at once with what can be asked instead; none is accepted.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FOREIGN_GOALS } from '#test/support/foreign-goals.ts';
import { openRealHouse, type RealHouse } from '#test/support/real-house.ts';
import { linted, project } from '#test/support/small-project.ts';

let house: RealHouse;
let workspace: string;
beforeAll(async () => {
  house = await openRealHouse();
  workspace = project('foreign', linted({ test: 'node --test' }));
});
afterAll(() => house.close());

/** Times are for the reader; only how a goal ends is asserted. */
const took: number[] = [];
afterAll(() => {
  const sorted = took.toSorted((a, b) => a - b);
  const [median, most] = [sorted[Math.floor(sorted.length / 2)] ?? 0, sorted.at(-1) ?? 0];
  console.info(`${took.length} foreign goals refused: median ${median.toFixed(0)} ms, slowest ${most.toFixed(0)} ms`);
});

describe('a goal outside every family', () => {
  it.each(FOREIGN_GOALS)('%s', async (goal) => {
    const began = performance.now();
    const { view, journal } = await house.run({ goal, workspace });
    took.push(performance.now() - began);
    expect(view.outcome).toBe('rejected');
    expect(view.rejected).toMatchObject({ reason: 'no_capability' });
    expect(view.rejected?.detail).toMatch(/Nothing here can do or check ".+"\. What can be asked: make the linters/s);
    expect(view.spent).toMatchObject({ calls: 0, attempts: 0 });
    expect(journal.map((entry) => entry.holon)).not.toContain('developer');
  });
});

describe('a goal for which the workspace has no check', () => {
  it.each([
    ['make the type check pass', 'no type check'],
    ['make ruff pass', 'runs ruff'],
    ['npm run style should pass', 'no check called "style"'],
  ])('%s', async (goal, why) => {
    const { view } = await house.run({ goal, workspace });
    expect(view).toMatchObject({ outcome: 'rejected', rejected: { reason: 'no_check' } });
    expect(view.rejected?.detail).toContain(why);
  });
});
