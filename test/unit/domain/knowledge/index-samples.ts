// Entries and questions for the tests of the index: few words, so that entries share them; with them arbitrary texts.
import * as fc from 'fast-check';
import { type Entry, type Question, TRUST } from '#shared/domain/knowledge/index-entry.ts';
import { createIndex, type LessonIndex } from '#shared/domain/knowledge/index-lessons.ts';

export const NOW = 1_700_000_000_000;

/** An entry that says `situation`, with whatever else the test is about. */
export const entry = (id: string, situation: string, more: Partial<Entry> = {}): Entry => ({
  id,
  domain: 'code',
  family: 'code-fix',
  type: 'pattern',
  tags: [],
  trust: 'confirmed',
  used: 0,
  helped: 0,
  hurt: 0,
  created_at: NOW,
  ...more,
  text: { situation, ...more.text },
});

export const indexOf = (entries: readonly Entry[]): LessonIndex => {
  const index = createIndex();
  for (const one of entries) index.put(one);
  return index;
};

export const ids = (index: LessonIndex, question: Partial<Question>): string[] =>
  index.search({ text: '', now: NOW, ...question }).map(({ id }) => id);

const words = fc.constantFrom(
  'flaky',
  'test',
  'retry',
  'retries',
  'timeout',
  'import',
  'lint',
  'cache',
  'readFile',
  '超时',
  'é',
);
const texts = fc.oneof(
  { weight: 4, arbitrary: fc.array(words, { maxLength: 8 }).map((list) => list.join(' ')) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 30 }) },
);
const few = fc.integer({ min: 0, max: 3 });

export const entries: fc.Arbitrary<Entry> = fc.record({
  id: fc.integer({ min: 0, max: 25 }).map((number) => `l${number}`),
  domain: fc.constantFrom('code', 'docs'),
  family: fc.constantFrom('code-fix', 'lint-fix'),
  type: fc.constantFrom('pattern', 'antipattern'),
  tags: fc.uniqueArray(fc.constantFrom('a', 'b', 'c'), { maxLength: 3 }),
  trust: fc.constantFrom(...TRUST),
  used: few,
  helped: few,
  hurt: few,
  created_at: fc.integer({ min: NOW - 1e10, max: NOW }),
  text: fc.record({ situation: texts, advice: texts, tags: texts }),
});

export const questions: fc.Arbitrary<Question> = fc.record(
  {
    text: texts,
    now: fc.constant(NOW),
    domain: fc.constantFrom('code', 'docs', 'nowhere'),
    family: fc.constantFrom('code-fix', 'lint-fix'),
    type: fc.constantFrom('pattern', 'antipattern'),
    tags_any: fc.uniqueArray(fc.constantFrom('a', 'b', 'z'), { maxLength: 2 }),
    tags_all: fc.uniqueArray(fc.constantFrom('a', 'b', 'c'), { maxLength: 2 }),
    minimum_trust: fc.constantFrom(...TRUST),
    limit: fc.integer({ min: 0, max: 30 }),
  },
  { requiredKeys: ['text', 'now'] },
);
