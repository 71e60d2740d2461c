// Fences order as tuples of numbers, whatever their texts look like (trace V4).
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareFence } from '#shared/domain/fence.ts';

const tuple = fc.array(fc.nat({ max: 1000 }), { minLength: 4, maxLength: 4 });
const text = (parts: number[]) => parts.join('.');

test('a later part decides only where the earlier ones are equal', () => {
  void fc.assert(
    fc.property(tuple, tuple, (a, b) => {
      const differs = a.findIndex((part, index) => part !== b[index]);
      const expected = differs < 0 ? 0 : Math.sign((a[differs] ?? 0) - (b[differs] ?? 0));
      expect(Math.sign(compareFence(text(a), text(b)))).toBe(expected);
      expect(Math.sign(compareFence(text(b), text(a)))).toBe(expected === 0 ? 0 : -expected);
    }),
  );
});

test.each([
  ['0.0.9.0', '0.0.10.0'],
  ['', '0.0.0.0'],
  ['0.9.9.9', '1.0.0.0'],
  ['1.2', '1.2.0'],
])('%j is before %j', (a, b) => {
  expect(compareFence(a, b)).toBeLessThan(0);
  expect(compareFence(b, a)).toBeGreaterThan(0);
});

test.each(['x', '1..2', '-1.0', '1.0 '])('%j is no fence', (bad) => {
  expect(() => compareFence(bad, '0.0.0.0')).toThrow('no fence');
});
