// L1-DEL-03, L2-PLN-03, L2-ITR-04; pitfall 8: whole numbers, never negative, never more than there was, 0 means refuse.
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DIMENSIONS } from '#shared/contracts/budget.ts';
import {
  add,
  DEFAULT_BUDGET,
  fits,
  isSpent,
  least,
  minus,
  most,
  parseBudget,
  scale,
  share,
  ZERO,
} from '#shared/domain/budget.ts';
import { anyBudget, budget, holds, isSane } from './samples.ts';

const some = anyBudget(1_000_000_007);

describe('arithmetic', () => {
  it('is whole and never negative', () => {
    holds(
      fc.property(some, some, fc.double({ min: -2, max: 2, noNaN: true }), (a, b, factor) => {
        for (const one of [add(a, b), minus(a, b), least(a, b), most(a, b), scale(a, factor)])
          expect(isSane(one)).toBe(true);
        expect(fits(least(a, b), a) && fits(a, most(a, b)) && fits(scale(a, Math.min(1, factor)), a)).toBe(true);
        expect(minus(add(a, b), b)).toEqual(a);
        expect(fits(a, b)).toBe(DIMENSIONS.every((d) => a[d] <= b[d]));
      }),
    );
  });

  it('shares everything and nothing more', () => {
    holds(
      fc.property(some, fc.integer({ min: 1, max: 50 }), (whole, parts) => {
        const shares = share(whole, parts);
        expect(shares).toHaveLength(parts);
        expect(shares.every(isSane)).toBe(true);
        expect(shares.reduce(add, ZERO)).toEqual(whole);
      }),
    );
    expect(share(budget(5), 0)).toEqual([]);
  });

  it('is spent when calls, attempts or time are; money only where there was some (L2-ITR-04)', () => {
    expect(isSpent(DEFAULT_BUDGET, DEFAULT_BUDGET)).toBe(false);
    for (const d of ['calls', 'attempts', 'time_ms'] as const)
      expect(isSpent({ ...DEFAULT_BUDGET, [d]: 0 })).toBe(true);
    const modelFree = { ...DEFAULT_BUDGET, usd_micros: 0, tokens: 0 };
    expect(isSpent(modelFree, modelFree)).toBe(false);
    expect(isSpent(modelFree, DEFAULT_BUDGET)).toBe(true);
  });
});

describe('parseBudget', () => {
  it('reads what a person writes', () => {
    expect(parseBudget('usd=1,tokens=200000,calls=100,time=15m,attempts=9')).toEqual({
      budget: { usd_micros: 1_000_000, tokens: 200_000, calls: 100, time_ms: 900_000, attempts: 9 },
    });
    expect(parseBudget(' usd=0.25 , time = 1500ms ')).toEqual({ budget: { usd_micros: 250_000, time_ms: 1500 } });
  });

  it.each([
    ['calls=0', 'budget.calls'],
    ['usd=-1', 'budget.usd'],
    ['usd=0.0000001', 'budget.usd'],
    ['time=15', 'budget.time'],
    ['time=soon', 'budget.time'],
    ['tokens=1e9', 'budget.tokens'],
    ['tokens=9999999999999999', 'budget.tokens'],
    ['calls=1.5', 'budget.calls'],
    ['calls=', 'budget.calls'],
    ['calls=1,calls=2', 'budget.calls'],
    ['money=1', 'budget'],
    ['constructor=1', 'budget'],
    ['calls', 'budget'],
    ['', 'budget'],
    ['calls=1,,', 'budget'],
    ['calls=Infinity', 'budget.calls'],
  ])('refuses %j and names the field and the remedy', (text, field) => {
    expect(parseBudget(text)).toEqual({
      problem: { field, message: expect.stringMatching(/\S/), remedy: expect.stringMatching(/\S/) },
    });
  });

  it('never makes a budget that is not above 0', () => {
    const piece = fc.constantFrom(
      'usd',
      'tokens',
      'calls',
      'time',
      'attempts',
      '=',
      ',',
      '-',
      '0',
      '1',
      '7',
      '.',
      'm',
      's',
      ' ',
      'e',
    );
    holds(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const read = parseBudget(pieces.join(''));
        const amounts = 'budget' in read ? Object.values(read.budget) : [];
        expect(amounts.every((amount) => Number.isSafeInteger(amount) && amount > 0)).toBe(true);
        expect('budget' in read ? amounts.length > 0 : read.problem.remedy !== '').toBe(true);
      }),
      2000,
    );
  });
});
