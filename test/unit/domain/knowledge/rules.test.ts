// Signatures, sketches, tags, health: the pure rules by which the knowledge base tells lessons apart.
import { describe, expect, it } from 'vitest';
import type { Lesson } from '#shared/contracts/lesson.ts';
import { compareLessons } from '#shared/domain/knowledge/compare.ts';
import { healthOf } from '#shared/domain/knowledge/health.ts';
import { failureTokens, isSameSituation } from '#shared/domain/knowledge/signature.ts';
import { nearestOf, sketchOf } from '#shared/domain/knowledge/sketch.ts';
import { normaliseTags } from '#shared/domain/knowledge/tags.ts';
import { finished, lessonOf, SIGNATURE } from './samples.ts';

const lesson = (parts: Partial<Lesson> = {}, n = 1): Lesson =>
  lessonOf(finished(n), { signature: SIGNATURE, ...parts });

describe('a signature', () => {
  it.each([
    ['src/a.js:# lint/style/useTemplate FIXABLE (3)', ['lint/style/useTemplate']],
    ["src/x.ts:#: error 'y' is assigned a value but never used no-unused-vars", ['no-unused-vars']],
    ['src/x.ts(#): error TS2345: Argument of type', ['TS2345']],
    ['app/m.py:#: F401 [*] `os` imported but unused', ['F401']],
    ['TypeError: x is not a function', ['TypeError']],
    ['src/berths.js format', ['format']],
    ['× Template literals are preferred over string concatenation.', []],
    ['✖ a ship gets the smallest berth that it fits', []],
  ])('names the kind of failure in %s', (line, tokens) => expect(failureTokens(line)).toEqual(tokens));

  it('is the same for half of what failed, not for another family, kind of check or tool', () => {
    expect(isSameSituation(SIGNATURE, { ...SIGNATURE, failures: ['lint:a', 'lint:c'] })).toBe(true);
    expect(isSameSituation(SIGNATURE, { ...SIGNATURE, failures: ['lint:c'] })).toBe(false);
    expect(isSameSituation(SIGNATURE, { ...SIGNATURE, family: 'test' })).toBe(false);
    expect(isSameSituation(SIGNATURE, { ...SIGNATURE, checks: ['lint', 'test'] })).toBe(false);
    expect(isSameSituation(SIGNATURE, { ...SIGNATURE, tools: ['eslint'] })).toBe(false);
  });
});

describe('a sketch', () => {
  const group = (lessons: Lesson[]): (string | null)[] => {
    const store = new Map<string, string>();
    return lessons.map((one) => {
      const sketch = sketchOf(one);
      const nearest = nearestOf(
        sketch,
        sketch.keys.map((key) => store.get(key) ?? null),
      );
      if (nearest === null) for (const key of sketch.keys) store.set(key, store.get(key) ?? sketch.value);
      return nearest;
    });
  };

  it('is the same for another folder and wording, another for another situation, type or alternative', () => {
    const first = lesson();
    const others = [
      lesson({ id: 'words', situation: 'quite other words about it' }),
      lesson({ id: 'type', type: 'pattern' }),
      lesson({ id: 'ways', alternatives: { for: [], against: ['other'] } }),
      lesson({ id: 'trouble', signature: { ...SIGNATURE, failures: ['lint:x', 'lint:y'] } }),
      lesson({ id: 'apart', trust: 'quarantined' }),
    ];
    expect(group([first, ...others])).toEqual([null, first.id, null, null, null, null]);
  });

  it('finds near-duplicates of plain text among a thousand, and lets other texts be', () => {
    const text =
      'when the linter complains about template literals after the safe fixes take the stronger fix and run the formatter last because it leaves untidy code behind in many files of the workspace';
    const many = Array.from({ length: 1_000 }, (_, n) =>
      lesson({
        id: `copy-${n}`,
        signature: null,
        alternatives: { for: [], against: [] },
        situation: `${text} ${n}`,
        advice: '',
        did_not_work: '',
      }),
    );
    const other = lesson({
      id: 'other',
      signature: null,
      alternatives: { for: [], against: [] },
      situation: 'the network of the build was slow, so the download of the packages ran out of time twice',
      advice: '',
      did_not_work: '',
    });
    const heads = group([...many, other]);
    expect(heads.filter((head) => head === null)).toHaveLength(2);
    expect(heads.at(-1)).toBeNull();
  });
});

it('health counts junk: what is apart, retired, or a duplicate that no group holds', () => {
  const lessons = [
    lesson(),
    lesson({ id: 'copy', retrieved: true }),
    lesson({ id: 'member', group: 'x' }),
    lesson({ id: 'q', situation: 'q', trust: 'quarantined' }),
  ];
  expect(healthOf(lessons)).toMatchObject({
    lessons: 4,
    groups: 3,
    grouped: 1,
    duplicates: 1,
    quarantined: 1,
    never_retrieved: 2,
    never_used: 3,
    junk_rate: 0.5,
  });
  expect(healthOf([]).junk_rate).toBe(0);
});

it('tags are normalised, and versions compared by field', () => {
  expect(normaliseTags(['ESLint', 'eslint', ' No Unused  Vars! ', '***', '日本'])).toEqual([
    'eslint',
    'no-unused-vars',
    '日本',
  ]);
  expect(compareLessons(lesson(), lesson({ version: 2, advice: 'better' }))).toEqual([
    { field: 'advice', before: expect.any(String), after: '"better"' },
  ]);
});
