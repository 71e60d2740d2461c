// However an index came to its contents, it answers alike (L3-KBQ-04); what filters admit is exact (L3-KBQ-02, L3-KBQ-03).
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Entry, type Question, TRUST } from '#shared/domain/knowledge/index-entry.ts';
import { decodeSnapshot, type LessonIndex } from '#shared/domain/knowledge/index-lessons.ts';
import { entries, entry, indexOf, NOW, questions } from './index-samples.ts';

const changes = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: entries.map((put) => ({ put, remove: null })) },
    { weight: 1, arbitrary: entries.map(({ id }) => ({ put: null, remove: id })) },
  ),
  { maxLength: 60 },
);

interface Change {
  put: Entry | null;
  remove: string | null;
}

/** Makes the changes one by one; returns the index and what should be in it. */
function live(list: readonly Change[]): { index: LessonIndex; held: Map<string, Entry> } {
  const index = indexOf([]);
  const held = new Map<string, Entry>();
  for (const change of list) {
    const { put, remove } = change;
    if (put !== null) held.set(put.id, put);
    expect(make(index, change)).toBe(remove === null || held.delete(remove));
  }
  return { index, held };
}

/** True, but false when there was nothing to remove. */
function make(index: LessonIndex, { put, remove }: Change): boolean {
  if (put !== null) index.put(put);
  return remove === null || index.remove(remove);
}

test('puts, replacements and removals one by one give what an index built at once gives', () => {
  void fc.assert(
    fc.property(changes, fc.array(questions, { minLength: 1, maxLength: 5 }), (list, asked) => {
      const { index, held } = live(list);
      const rebuilt = indexOf([...held.values()]);
      expect(index.size).toBe(held.size);
      for (const question of asked) expect(index.search(question)).toEqual(rebuilt.search(question));
    }),
    { numRuns: 200 },
  );
});

test('the order of arrival changes no hit and no score', () => {
  const shuffled = fc
    .uniqueArray(entries, { selector: ({ id }) => id, maxLength: 20 })
    .chain((list) => fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })));
  void fc.assert(
    fc.property(shuffled, questions, ([one, other], question) => {
      expect(indexOf(other).search(question)).toEqual(indexOf(one).search(question));
    }),
    { numRuns: 200 },
  );
});

test('a snapshot answers as its index does, and goes on taking changes', () => {
  void fc.assert(
    fc.property(changes, changes, questions, (before, after, question) => {
      const { index } = live(before);
      const copy = decodeSnapshot(index.snapshot());
      if (typeof copy === 'string') throw new Error(copy);
      expect(copy.search(question)).toEqual(index.search(question));
      for (const change of after) for (const each of [index, copy]) make(each, change);
      expect(copy.search(question)).toEqual(index.search(question));
      expect(copy.snapshot()).toEqual(index.snapshot());
    }),
    { numRuns: 100 },
  );
});

test('filters admit exactly what brute force admits', () => {
  void fc.assert(
    fc.property(fc.uniqueArray(entries, { selector: ({ id }) => id, maxLength: 25 }), questions, (list, question) => {
      const found = indexOf(list).search({ ...question, text: '', limit: 100 });
      const admitted = list.filter((one) => admits(one, question)).map(({ id }) => id);
      expect(found.map(({ id }) => id).sort()).toEqual(admitted.sort());
      const matching = indexOf(list)
        .search({ ...question, limit: 100 })
        .map(({ id }) => id);
      expect(matching.filter((id) => !admitted.includes(id))).toEqual([]);
    }),
    { numRuns: 300 },
  );
});

function admits(one: Entry, question: Question): boolean {
  const least = TRUST.indexOf(question.minimum_trust ?? 'provisional');
  const any = question.tags_any ?? [];
  return [
    (question.domain ?? one.domain) === one.domain,
    (question.family ?? one.family) === one.family,
    (question.type ?? one.type) === one.type,
    TRUST.indexOf(one.trust) >= least,
    any.length === 0 || any.some((tag) => one.tags.includes(tag)),
    (question.tags_all ?? []).every((tag) => one.tags.includes(tag)),
  ].every(Boolean);
}

test('thousands of replaced entries leave nothing behind', () => {
  const index = indexOf([]);
  for (let round = 0; round < 3000; round += 1) index.put(entry(`l${round % 5}`, `flaky test word${round}`));
  expect(index.size).toBe(5);
  expect(index.search({ text: 'word2999', now: NOW }).map(({ id }) => id)).toEqual(['l4']);
  expect(index.search({ text: 'word17', now: NOW })).toEqual([]);
  expect(index.snapshot()).toEqual(
    indexOf([2995, 2996, 2997, 2998, 2999].map((n) => entry(`l${n % 5}`, `flaky test word${n}`))).snapshot(),
  );
});
