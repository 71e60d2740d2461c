// At least once, in any order: one leaf with a revision ends the same however its messages are delivered (architecture section 3).
import { expect, it } from 'vitest';
import { compareSeeds, LEAF, shareOf } from '#test/support/chaos/deliveries.ts';

it('delivered one to five times, shuffled and late: half of the seeds', async () => {
  const seeds = shareOf(0);
  const copies = await compareSeeds(LEAF, seeds);
  expect(copies).toBeGreaterThan(seeds.length * 15);
});
