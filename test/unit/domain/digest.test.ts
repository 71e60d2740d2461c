// The pure digests equal Node's for every input.
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { gitBlobName, sha1Hex, sha256Hex } from '#shared/domain/digest.ts';

it('SHA-1 and SHA-256 agree with node:crypto, block borders included', () => {
  const sizes = [0, 1, 55, 56, 63, 64, 65, 119, 120, 1000].map((size) => new Uint8Array(size).fill(7));
  const check = (bytes: Uint8Array) => {
    expect(sha1Hex(bytes)).toBe(createHash('sha1').update(bytes).digest('hex'));
    expect(sha256Hex(bytes)).toBe(createHash('sha256').update(bytes).digest('hex'));
  };
  for (const bytes of sizes) check(bytes);
  fc.assert(fc.property(fc.uint8Array({ maxLength: 300 }), check), { numRuns: 300 });
});

it('names a blob as git does', () => {
  expect(gitBlobName(new Uint8Array())).toBe('e69de29bb2d1d6434b8b29ae775ad8c2e48c5391');
});
