// L2-ITR-01 to L2-ITR-04: the table of requirements section 3, line by line, and that the loop always ends.
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AfterReview, afterReview, type ReviewedTask } from '#shared/domain/loop.ts';
import { holds } from './samples.ts';

const going: ReviewedTask = {
  result: 'fail',
  iteration: 2,
  retries: 5,
  attemptsLeft: 5,
  budgetSpent: false,
  progress: [1],
  untried: false,
};
const accept = (reservations: boolean): AfterReview => ({ next: 'accept', reservations });
const escalate = (reason: 'budget_spent' | 'attempts_spent' | 'no_progress' | 'no_alternative'): AfterReview => ({
  next: 'escalate',
  reason,
});
const revise: AfterReview = { next: 'revise' };

describe('afterReview', () => {
  it.each<[string, Partial<ReviewedTask>, AfterReview]>([
    ['pass', { result: 'pass' }, accept(false)],
    ['pass with the budget spent', { result: 'pass', budgetSpent: true, iteration: 5, attemptsLeft: 0 }, accept(false)],
    ['partial, making progress', { result: 'partial' }, revise],
    ['partial, attempts spent', { result: 'partial', iteration: 5 }, accept(true)],
    ['partial, no attempt left below the root', { result: 'partial', attemptsLeft: 0 }, accept(true)],
    ['partial, no progress', { result: 'partial', iteration: 3, progress: [0, 0] }, accept(true)],
    ['partial, budget spent', { result: 'partial', budgetSpent: true }, escalate('budget_spent')],
    ['fail, budget spent (L2-ITR-04)', { budgetSpent: true }, escalate('budget_spent')],
    ['fail, making progress (L2-ITR-01)', {}, revise],
    ['fail, an untried alternative is new evidence', { progress: [0, 0], iteration: 3, untried: true }, revise],
    ['fail, attempts spent (L2-ITR-03)', { iteration: 5 }, escalate('attempts_spent')],
    ['fail, the limit of all below the root', { attemptsLeft: 0 }, escalate('attempts_spent')],
    ['fail, no progress twice', { iteration: 3, progress: [0, -1] }, escalate('no_progress')],
    ['fail, nothing left to try', { iteration: 1, progress: [] }, escalate('no_alternative')],
  ])('%s', (_what, change, expected) => {
    expect(afterReview({ ...going, ...change })).toEqual(expected);
  });

  it('"retry budget 3" is three attempts: fail gives 2, fail gives 3, fail escalates (L2-ITR-02, L2-ITR-03)', () => {
    const at = (iteration: number) =>
      afterReview({ ...going, retries: 3, iteration, progress: [0, 0].slice(0, iteration - 1), untried: true });
    expect([at(1), at(2), at(3)]).toEqual([revise, revise, escalate('attempts_spent')]);
  });

  it('always ends within the retries, whatever the reviews say, and never accepts a fail', () => {
    const review = fc.record({
      result: fc.constantFrom('pass' as const, 'partial' as const, 'fail' as const),
      difference: fc.integer({ min: -3, max: 3 }),
      untried: fc.boolean(),
      budgetSpent: fc.boolean(),
    });
    const limit = fc.integer({ min: 1, max: 40 });
    holds(
      fc.property(fc.array(review, { minLength: 40, maxLength: 40 }), limit, limit, (reviews, retries, attempts) => {
        const differences = reviews.slice(1).map((one) => one.difference);
        const decisions = reviews.map((one, at) =>
          afterReview({
            ...one,
            iteration: at + 1,
            retries,
            attemptsLeft: attempts - at - 1,
            progress: differences.slice(0, at),
          }),
        );
        const end = decisions.findIndex((decision) => decision.next !== 'revise');
        expect(end).toBeGreaterThanOrEqual(0);
        expect(end).toBeLessThan(Math.min(retries, attempts));
        const wrong = decisions.filter((decision, at) => isWrong(decision.next, reviews[at]?.result));
        expect(wrong).toEqual([]);
      }),
      1000,
    );
  });
});

const isWrong = (next: AfterReview['next'], result: string | undefined): boolean =>
  (next === 'accept' && result === 'fail') || (next !== 'accept' && result === 'pass');
