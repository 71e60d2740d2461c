// One run in which the bus delivers every message one to five times, late and out of order, finished or not.
import { expect } from 'vitest';
import { broken, type FinalState, finalState, hashOf } from '#test/support/chaos/final-state.ts';
import { type ChaosHouse, openChaosHouse } from '#test/support/chaos/house.ts';
import { between, seeded } from '#test/support/chaos/seeded.ts';
import { submit } from '#test/support/submit.ts';

/** A goal given straight to a holon. */
export interface Job {
  goal: string;
  to: string;
}

/** A leaf with a revision, and a coordinator of two such leaves. */
export const LEAF: Job = { goal: 'take the turn', to: 'turner' };
export const PAIR: Job = { goal: 'take the left and take the right', to: 'works' };

interface Ended {
  house: ChaosHouse;
  root: string;
  state: FinalState;
  copies: number;
}

/** Seed 0 is the undisturbed run. */
export const run = async (job: Job, seed: number): Promise<Ended> => {
  const random = seeded(seed);
  let copies = 0;
  const deliver = () => {
    const disturbance = { copies: between(random, 1, 5), delayMs: between(random, 0, 40), pastInbox: random() < 0.8 };
    copies += disturbance.copies;
    return disturbance;
  };
  const house = await openChaosHouse({ seed: seed + 1, checked: false, ...(seed === 0 ? {} : { bus: { deliver } }) });
  house.start();
  const root = await submit(house, job);
  await house.idle();
  return { house, root, state: await finalState(house, root), copies };
};

/** Runs each seed and compares its end with the undisturbed one. Answers with how many deliveries there were in all. */
export const compareSeeds = async (job: Job, seeds: readonly number[]): Promise<number> => {
  const calm = await run(job, 0);
  await calm.house.close();
  let copies = 0;
  for (const seed of seeds) {
    const ended = await run(job, seed);
    copies += ended.copies;
    expect(await broken(ended.house, ended.root), `seed ${seed}`).toEqual([]);
    expect(ended.house.witness.illegal, `seed ${seed}`).toEqual([]);
    expect(ended.house.witness.twice, `seed ${seed}`).toEqual([]);
    expect(hashOf(ended.state), `seed ${seed}: ${JSON.stringify(ended.state)}`).toBe(hashOf(calm.state));
    await ended.house.close();
  }
  return copies;
};

/** How many seeds in all: HCA_SEEDS, else 1,000. */
export const SEEDS = Number(process.env.HCA_SEEDS ?? 1000);

/** The share of the seeds that one file runs; two files run side by side. */
export const shareOf = (file: 0 | 1): number[] =>
  Array.from({ length: SEEDS }, (_, index) => index + 1).filter((seed) => seed % 2 === file);
