// Lessons that say the opposite of one situation are all linked, both ways, whoever came first, up to what a lesson holds (L3 upkeep).
import { expect, onTestFinished, test } from 'vitest';
import { keepLesson } from '#functions/loop/lessons.ts';
import { localPorts } from '#shared/adapters/local/ports.ts';
import type { Lesson } from '#shared/contracts/lesson.ts';
import { lesson, rootId, TENANT } from '#test/adapters/suites/samples.ts';

const SHARED = ['one', 'two', 'three', 'four', 'five', 'six'].map((name) => `lint:rule-${name}`);

/** About one situation, in which each saw something of its own too: no two are near-duplicates. */
const about = (n: number, alternatives: Lesson['alternatives']): Lesson =>
  lesson(`lesson-${rootId(n)}`, {
    task_id: rootId(n),
    type: alternatives.for.length > 0 ? 'pattern' : 'antipattern',
    alternatives,
    signature: {
      family: 'lint',
      tools: ['biome'],
      failures: [...SHARED, ...['a', 'b', 'c'].map((own) => `lint:own-${own}-${n}`)].sort(),
      checks: ['lint'],
    },
    change: { cause: `task:${n}`, why: '', at: 1 },
  });

const praise = (n: number) => about(n, { for: ['pull'], against: [] });
const blame = (n: number) => about(n, { for: [], against: ['pull'] });

const open = () => {
  const house = localPorts({ folder: ':memory:' });
  onTestFinished(() => house.close());
  return {
    keep: (one: Lesson) => keepLesson(TENANT, { status: 'taken', lesson: one, reason: '' }, house),
    linksOf: async ({ id }: Lesson) => (await house.lessons.get(TENANT, id))?.contradicts.toSorted(),
  };
};

const ids = (lessons: readonly Lesson[]) => lessons.map(({ id }) => id).toSorted();

test.each([
  ['praise first', [praise, blame] as const],
  ['blame first', [blame, praise] as const],
])(
  'one that contradicts five, and another one after it, are linked with all five: %s',
  async (_order, [left, right]) => {
    const { keep, linksOf } = open();
    const many = [1, 2, 3, 4, 5].map(left);
    for (const one of many) expect(await keep(one)).toMatchObject({ status: 'stored' });
    const against = [6, 7].map(right);
    for (const one of against) await keep(one);
    for (const one of against) expect(await linksOf(one)).toEqual(ids(many));
    for (const one of many) expect(await linksOf(one)).toEqual(ids(against));
  },
);

test('however many there are, a lesson holds at most 16 links, and what is said again links nothing twice', async () => {
  const { keep, linksOf } = open();
  for (let n = 0; n < 40; n += 1) await keep(n % 2 === 0 ? praise(n) : blame(n));
  await keep(praise(0));
  const links = (await linksOf(praise(0))) ?? [];
  expect(links.length).toBeGreaterThan(4);
  expect(links.length).toBeLessThanOrEqual(16);
  expect(new Set(links).size).toBe(links.length);
});

test('a lesson about another situation, or of another alternative, is linked with none', async () => {
  const { keep, linksOf } = open();
  await keep(praise(1));
  const other = about(2, { for: [], against: ['push'] });
  const elsewhere = lesson(`lesson-${rootId(3)}`, {
    ...blame(3),
    family: 'types',
    signature: { ...blame(3).signature!, family: 'types' },
  });
  for (const one of [other, elsewhere]) await keep(one);
  for (const one of [praise(1), other, elsewhere]) expect(await linksOf(one)).toEqual([]);
});
