// What a task costs in the cloud, counted on its own adapters: within what was promised, and as the model says that estimates are made of.
import { beforeAll, describe, expect, it } from 'vitest';
import { measureAll, type Shapes } from '#scripts/cost/shapes.ts';
import { priceOf, type Usage } from '#shared/domain/rate-card.ts';
import { estimateOf } from '#shared/domain/usage-model.ts';

let measured: Record<Shapes, Usage>;
beforeAll(async () => {
  measured = await measureAll();
}, 240_000);

/** A retry of a lost race is a unit or two, and on a loaded machine there are more of them. */
const SLACK = 0.05;
const NOTHING = { leaves: 0, coordinators: 0, further_children: 0, revisions: 0 };

describe('the cost of a task', () => {
  it('is a tenth of a cent for root > domain > leaf, every result reviewed, and at most 0.03 cents for a revision', () => {
    expect(priceOf(measured.chain)).toBeLessThanOrEqual(1030);
    expect(priceOf(measured.revised) - priceOf(measured.leaf)).toBeLessThanOrEqual(300);
    expect(measured.chain.transitions).toBe(27);
  });

  it('is what the model says', () => {
    const estimates: [Shapes, typeof NOTHING][] = [
      ['leaf', { ...NOTHING, leaves: 1 }],
      ['revised', { ...NOTHING, leaves: 1, revisions: 1 }],
      ['chain', { ...NOTHING, leaves: 1, coordinators: 2 }],
      ['domains', { ...NOTHING, leaves: 3, coordinators: 4, further_children: 2 }],
    ];
    for (const [name, shape] of estimates) {
      const ratio = estimateOf(shape) / priceOf(measured[name]);
      expect(Math.abs(ratio - 1), name).toBeLessThan(SLACK);
    }
  });
});
