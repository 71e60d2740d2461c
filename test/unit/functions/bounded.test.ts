// A pattern that never ends (`(a+)+$`) in a criterion: the check is an error, and the host that judges it goes on.
import { describe, expect, it } from 'vitest';
import { bounded } from '#functions/loop/bounded.ts';

const ENDLESS = `${'a'.repeat(40)}b`;

describe('work in bounded time', () => {
  it('ends a regular expression that backtracks for ever', () => {
    expect(bounded(() => ({ isMatch: /(a+)+$/.test(ENDLESS) }), 50)).toBeUndefined();
  });

  it('gives what the work gives, and throws what it throws', () => {
    expect(bounded(() => ({ isMatch: /a+b/.test(ENDLESS) }))).toEqual({ isMatch: true });
    expect(() =>
      bounded(() => {
        throw new TypeError('ours');
      }),
    ).toThrow('ours');
  });
});
