// L2-NEG-01 to L2-NEG-03, L2-NEG-05: a holon really judges an offer, and says why not or what it would need.
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OfferAnswer } from '#shared/contracts/offer.ts';
import { judgeOffer, type Offer } from '#shared/domain/delegation.ts';
import { anyBudget, budget, card, holds } from './samples.ts';

const offer = (more: Partial<Offer> = {}): Offer => ({
  spec: { family: 'fix-lint' },
  constraints: { budget: budget(100), deadline: 1000 },
  card: card('developer', 'root', { capacity: 2 }),
  open: 0,
  families: ['fix-lint', 'fix-test'],
  estimate: { calls: 12, time_ms: 40 },
  past: null,
  missingTools: [],
  now: 0,
  ...more,
});

const terms = (calls: number, more = {}) => ({ budget: budget(100, { calls, ...more }), deadline: 1000 });

describe('judgeOffer', () => {
  it('accepts what it can do with what is offered (L2-NEG-01)', () => {
    expect(judgeOffer(offer())).toEqual({ answer: 'accept' });
    expect(judgeOffer(offer({ spec: { family: null }, estimate: null }))).toEqual({ answer: 'accept' });
    expect(judgeOffer(offer({ constraints: terms(12, { usd_micros: 0, tokens: 0 }) }))).toEqual({ answer: 'accept' });
  });

  it.each<[string, Partial<Offer>, RegExp]>([
    ['offline', { card: card('developer', 'root', { state: 'offline' }) }, /developer is offline/],
    ['offline', { card: card('developer', 'root', { state: 'draining' }) }, /draining/],
    ['no_capacity', { open: 2 }, /2 of 2/],
    ['no_capability', { spec: { family: 'bake-bread' } }, /can do: fix-lint, fix-test/],
    ['missing_tool', { missingTools: ['shell.run'] }, /shell\.run/],
    ['deadline_passed', { now: 1000 }, /deadline/],
  ])('rejects with the reason %s (L2-NEG-02, L2-NEG-05)', (reason, more, detail) => {
    expect(judgeOffer(offer(more))).toEqual({ answer: 'reject', reason, detail: expect.stringMatching(detail) });
  });

  it('counters with what it would need: the larger of declared and past (L2-NEG-03)', () => {
    expect(judgeOffer(offer({ constraints: terms(5) }))).toEqual({
      answer: 'counter',
      budget: budget(100, { calls: 12 }),
      detail: 'Needs 12 calls (offered 5).',
    });
    const slow = judgeOffer(offer({ past: { calls: 30, time_ms: 200.5 } }));
    expect(slow).toEqual({
      answer: 'counter',
      budget: budget(100, { time_ms: 201 }),
      detail: 'Needs 201 ms (offered 100).',
    });
    expect(judgeOffer(offer({ constraints: terms(20), past: { calls: 30, time_ms: 1 } }))).toMatchObject({
      answer: 'counter',
      budget: { calls: 30 },
    });
    expect(judgeOffer(offer({ constraints: terms(100, { attempts: 0 }) }))).toMatchObject({
      answer: 'counter',
      budget: { attempts: 1 },
    });
  });

  it('answers every offer by the contract, and accepts its own counter', () => {
    const amount = fc.integer({ min: 0, max: 200 });
    const cost = fc.option(fc.record({ calls: amount, time_ms: amount }));
    holds(
      fc.property(anyBudget(150), fc.tuple(cost, cost), fc.integer({ min: 0, max: 3 }), (offered, costs, open) => {
        const asked = offer({
          constraints: { budget: offered, deadline: 1000 },
          estimate: costs[0],
          past: costs[1],
          open,
        });
        const answer = OfferAnswer.parse(judgeOffer(asked));
        if (answer.answer !== 'counter') return;
        const again = { ...asked, constraints: { budget: answer.budget, deadline: 1000 } };
        expect(judgeOffer(again)).toEqual({ answer: 'accept' });
      }),
    );
  });
});
