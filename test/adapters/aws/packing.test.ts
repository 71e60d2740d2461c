// Packed text comes back as it was, and what was stored once can be read for ever.
import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { pack, unpack } from '#shared/adapters/aws/packing.ts';
import { WORDS } from '#shared/adapters/aws/packing-words.ts';

test('any text comes back', () => {
  const text = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 4000 }), fc.json());
  return fc.assert(fc.property(text, (given) => unpack(pack(given)) === given));
});

test('words that items were stored with are as they were', () => {
  const digests = WORDS.map((words) => createHash('sha256').update(words).digest('hex').slice(0, 16));
  expect(digests).toEqual(['691308adeaff253a']);
  expect(unpack(Buffer.from('AMOS5hL1DfUhjtTLKgaP1mL1UapxkgHOIRaqNdHJSVa1AA==', 'base64'))).toBe(
    JSON.stringify(SAMPLE),
  );
});

const SAMPLE = {
  artifact: { id: 'a/1/change.json', version: 1, sha256: 'e3b0', kind: 'change-set' },
  budget: { usd_micros: 1, tokens: 1, calls: 1, attempts: 1, time_ms: 1 },
  reason: 'all 2 criteria that could be checked are met',
};

test('a text of the house takes a fraction of its bytes', () => {
  expect(pack(JSON.stringify(SAMPLE)).byteLength).toBeLessThan(JSON.stringify(SAMPLE).length / 3);
});

test.each([
  ['of words that are not known', Uint8Array.of(200, 1, 2, 3)],
  ['cut off', pack('a text that is cut off somewhere').subarray(0, 6)],
  ['none', new Uint8Array()],
])('bytes %s are an error', (_what, bytes) => {
  expect(() => unpack(bytes)).toThrow();
});
