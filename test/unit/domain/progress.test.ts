// Progress and failure signatures (harness layer 6, repair loop; pitfall 1).
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { failureSignature, isStalled, measureProgress, sameFailure } from '#shared/domain/progress.ts';
import { holds } from './samples.ts';

const failure = {
  reason: 'attempts_spent',
  unmet: ['lint', 'types'],
  detail: 'src/a.ts:12 unused variable, took 30 ms',
};

describe('progress', () => {
  it('is the difference of unmet criteria', () => {
    expect(measureProgress({ unmet: ['a', 'b'] }, { unmet: ['a'] })).toBe(1);
    expect(measureProgress({ unmet: ['a'] }, { unmet: ['a', 'b'] })).toBe(-1);
    expect(measureProgress({ unmet: ['a'] }, { unmet: ['b'] })).toBe(0);
    expect(measureProgress({ unmet: ['a', 'a'] }, { unmet: ['a'] })).toBe(0);
  });

  it('stalls after k differences of 0 or less in a row, two by default', () => {
    expect(isStalled([])).toBe(false);
    expect(isStalled([0])).toBe(false);
    expect(isStalled([0, 0])).toBe(true);
    expect(isStalled([1, -1, 0])).toBe(true);
    expect(isStalled([0, 0, 1])).toBe(false);
    expect(isStalled([0, 0], 3)).toBe(false);
  });
});

describe('failureSignature', () => {
  it('is the same for the same failure of two runs', () => {
    const again = { ...failure, unmet: ['types', 'lint', 'lint'], detail: 'src/a.ts:14  Unused variable, took 7.5 ms' };
    expect(sameFailure(failureSignature(failure), failureSignature(again))).toBe(true);
    const one = { ...failure, detail: 'task 01ARZ3NDEKTSV4RRFFQ69G5FAV_11_1 at 9f86d081884c failed' };
    const two = { ...failure, detail: 'task 01BX5ZZKBKACTAV9WEVGEMMVRZ_12_3 at 60303ae22b99 failed' };
    expect(failureSignature(one)).toBe(failureSignature(two));
  });

  it('differs when reason, criteria or words differ', () => {
    for (const other of [{ reason: 'no_progress' }, { unmet: ['lint'] }, { detail: 'src/b.ts: no such file' }]) {
      expect(sameFailure(failureSignature(failure), failureSignature({ ...failure, ...other }))).toBe(false);
    }
    expect(sameFailure('', '')).toBe(false);
  });

  it('is short and reads its reason, whatever the detail', () => {
    holds(
      fc.property(fc.string(), fc.array(fc.string()), (detail, unmet) => {
        expect(failureSignature({ reason: 'fault', unmet, detail })).toMatch(/^fault:[0-9a-f]{16}$/);
      }),
    );
  });
});
