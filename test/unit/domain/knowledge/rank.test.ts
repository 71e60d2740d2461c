// What ranks before what, and what a hit says about itself (L3-KBQ-04).
import { expect, test } from 'vitest';
import { entry, ids, indexOf, NOW } from './index-samples.ts';

const DAY = 86_400_000;

test('the entry that says more of the question, and says it rarer, comes first; what says none of it does not come', () => {
  const index = indexOf([
    entry('both', 'flaky timeout in the upload test'),
    entry('common', 'test of the parser'),
    entry('other', 'test of the printer'),
    entry('none', 'documentation is stale'),
  ]);
  expect(ids(index, { text: 'uploads time out in a flaky test' })).toEqual(['both', 'common', 'other']);
});

test('a word in the situation or a tag outweighs the same word in the advice', () => {
  const index = indexOf([
    entry('advice', 'build fails', { text: { advice: 'cache' } }),
    entry('situation', 'cache fails', { text: { advice: 'build' } }),
  ]);
  expect(ids(index, { text: 'cache' })).toEqual(['situation', 'advice']);
});

test('words side by side, as the question has them, outweigh the same words apart', () => {
  const index = indexOf([
    entry('apart', 'cache of lint and null check'),
    entry('beside', 'lint cache of null and check'),
  ]);
  expect(ids(index, { text: 'lint cache' })).toEqual(['beside', 'apart']);
});

test('why: the terms of the question with their words and fields, then what feedback added', () => {
  const index = indexOf([
    entry('one', 'retried uploads', { text: { advice: 'raise the socket timeout' } }),
    entry('two', 'upload retries', { text: { advice: 'raise the socket limit' } }),
    entry('three', 'socket closed', { text: { advice: 'nothing' } }),
    entry('far', 'typo in a heading'),
  ]);
  const hits = index.search({ text: 'retrying', now: NOW });
  expect(hits.map(({ id }) => id)).toEqual(['one', 'two', 'three']);
  expect(hits[0]?.why[0]).toEqual({ term: 'retri', word: 'retrying', origin: 'query', fields: ['situation'] });
  expect(hits[0]?.why).toContainEqual({ term: 'socket', word: 'socket', origin: 'feedback', fields: ['advice'] });
  expect(hits[2]?.why).toEqual([{ term: 'socket', word: 'socket', origin: 'feedback', fields: ['situation'] }]);
});

test('feedback never tells of an entry that the filters keep out', () => {
  const secret = { trust: 'quarantined' as const, text: { advice: 'socket' } };
  const index = indexOf([
    entry('a', 'retry upload', secret),
    entry('b', 'retry upload', secret),
    entry('c', 'retry'),
    entry('d', 'socket'),
  ]);
  expect(ids(index, { text: 'retry' })).toEqual(['c']);
});

test('the score is the relevance times the factors that are shown', () => {
  const index = indexOf([
    entry('a', 'lint', { trust: 'provisional', used: 4, helped: 2, hurt: 1, created_at: NOW - 30 * DAY }),
  ]);
  const [hit] = index.search({ text: 'lint', now: NOW });
  const { trust = 0, outcome = 0, recency = 0 } = hit?.factors ?? {};
  expect(hit?.score).toBeCloseTo((hit?.relevance ?? 0) * trust * outcome * recency, 12);
  expect(trust).toBe(0.85);
  expect(recency).toBeGreaterThan(0.9);
  expect(recency).toBeLessThan(1);
});

test('among equally relevant entries the confirmed, the helpful and the recent come first; equal ones by id', () => {
  const alike = (id: string, more: Parameters<typeof entry>[2]) => entry(id, 'lint fails', more);
  const pairs = [
    [{ trust: 'provisional' }, { trust: 'confirmed' }],
    [
      { used: 3, hurt: 3 },
      { used: 3, helped: 3 },
    ],
    [{ used: 9 }, {}],
    [{ created_at: NOW - 400 * DAY }, { created_at: NOW }],
  ] as const;
  for (const [worse, better] of pairs) {
    expect(ids(indexOf([alike('a', worse), alike('b', better)]), { text: 'lint' })).toEqual(['b', 'a']);
  }
  expect(ids(indexOf([alike('b', {}), alike('a', {})]), { text: 'lint' })).toEqual(['a', 'b']);
});

test('no outcome, trust or age lifts what hardly matches over what matches well', () => {
  const index = indexOf([
    entry('match', 'lint cache broken after upgrade', { trust: 'provisional', used: 50, hurt: 50, created_at: 0 }),
    entry('hardly', 'broken window', { used: 50, helped: 50 }),
    entry('other', 'stale documentation'),
  ]);
  expect(ids(index, { text: 'lint cache broken after upgrade' })[0]).toBe('match');
});

test('which of many equally strong words feedback adds does not depend on the order of arrival', () => {
  const words = Array.from({ length: 60 }, (_, at) => `word${at}`);
  const said = [entry('a', `retry ${words.join(' ')}`), entry('b', `retry ${words.toReversed().join(' ')}`)];
  const each = words.map((word) => entry(word, word));
  const question = { text: 'retry', limit: 100 };
  const found = ids(indexOf([...said, ...each]), question);
  expect(found.length).toBeLessThan(60);
  expect(ids(indexOf([...each.toReversed(), ...said.toReversed()]), question)).toEqual(found);
});
