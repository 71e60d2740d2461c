// At least once, in any order: two children side by side end the same however their messages are delivered (architecture section 3).
import { expect, it } from 'vitest';
import { compareSeeds, PAIR, shareOf } from '#test/support/chaos/deliveries.ts';

it('delivered one to five times, shuffled and late: half of the seeds', async () => {
  const seeds = shareOf(1);
  const copies = await compareSeeds(PAIR, seeds);
  expect(copies).toBeGreaterThan(seeds.length * 40);
});
