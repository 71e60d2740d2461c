// Bytes that are no snapshot of ours are told apart, never read wrongly and never thrown over.
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeSnapshot } from '#shared/domain/knowledge/index-lessons.ts';
import { entry, ids, indexOf } from './index-samples.ts';

const snapshot = indexOf([entry('a', 'flaky test', { tags: ['x'] }), entry('b', '超时 retry')]).snapshot();

test('any one changed byte is found', () => {
  void fc.assert(
    fc.property(fc.nat(snapshot.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
      const bytes = snapshot.slice();
      bytes[at] = (bytes[at] ?? 0) ^ change;
      expect(decodeSnapshot(bytes)).toBeTypeOf('string');
    }),
    { numRuns: 500 },
  );
});

test('a shortened, lengthened, foreign or empty file is none', () => {
  for (let length = 0; length < snapshot.length; length += 7)
    expect(decodeSnapshot(snapshot.slice(0, length))).toBeTypeOf('string');
  expect(decodeSnapshot(Uint8Array.from([...snapshot, 0, 0, 0, 0]))).toBe('damaged');
  expect(decodeSnapshot(new TextEncoder().encode('{"a": 1, "this is": "JSON and nothing else"}'))).toBe('foreign');
});

test('another version is named', () => {
  const bytes = snapshot.slice();
  bytes[4] = 99;
  expect(decodeSnapshot(bytes)).toBe('version');
});

test('bytes at any place of a larger buffer are read', () => {
  for (const shift of [0, 1, 2, 3, 4]) {
    const larger = new Uint8Array(snapshot.length + 8);
    larger.set(snapshot, shift);
    const index = decodeSnapshot(larger.subarray(shift, shift + snapshot.length));
    if (typeof index === 'string') throw new Error(index);
    expect(ids(index, { text: 'retry' })).toEqual(['b']);
  }
});

test('an empty index has a snapshot', () => {
  const index = decodeSnapshot(indexOf([]).snapshot());
  if (typeof index === 'string') throw new Error(index);
  index.put(entry('a', 'lint'));
  expect(ids(index, { text: 'lint' })).toEqual(['a']);
});
