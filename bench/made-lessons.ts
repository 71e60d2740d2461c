// Lessons by the thousand, the same for a seed: 80 words each, drawn as words are drawn in prose (Zipf and Mandelbrot: the most frequent
// content word in about four of ten lessons, most words in a handful), and questions of 8 to 15 words out of one of them.
import type { Entry } from '#shared/domain/knowledge/index-entry.ts';

const WORDS = 30_000;
const SHIFT = 20;
const SYLLABLES = [
  'ba',
  'co',
  'di',
  'fu',
  'ga',
  'lo',
  'mi',
  'nu',
  'pe',
  'ra',
  'so',
  'ti',
  'vu',
  'xe',
  'ya',
  'zo',
] as const;

export type Random = () => number;

/** Numbers from 0 to 1, the same for a seed (mulberry32). */
export const seeded = (seed: number): Random => {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

/** One lesson. */
export const makeLesson = (number: number, random: Random): Entry => {
  const family = `family-${Math.floor(random() * 40)}`;
  return {
    id: `lesson-${String(number).padStart(7, '0')}`,
    domain: `domain-${Math.floor(random() * 8)}`,
    family,
    type: random() < 0.7 ? 'pattern' : 'antipattern',
    tags: [family, word(random), word(random)],
    trust: random() < 0.5 ? 'confirmed' : 'provisional',
    used: Math.floor(random() * 10),
    helped: Math.floor(random() * 5),
    hurt: Math.floor(random() * 3),
    created_at: Math.floor(random() * 1e10),
    text: { situation: words(40, random), advice: words(30, random), did_not_work: words(10, random) },
  };
};

/** A question about a lesson: some of its situation, and words of its own. */
export const makeQuestion = (lesson: Entry, random: Random): string => {
  const known = (lesson.text.situation ?? '').split(' ').filter(() => random() < 0.2);
  return [...known, ...words(4, random).split(' ')].slice(0, 15).join(' ');
};

function words(count: number, random: Random): string {
  return Array.from({ length: count }, () => word(random)).join(' ');
}

/** Rank by inversion: the share of the first n words grows as the logarithm of n. */
function word(random: Random): string {
  const rank = Math.floor(SHIFT * ((WORDS + SHIFT) / SHIFT) ** random() - SHIFT);
  let [left, spelt] = [rank + 16, ''];
  for (; left > 0; left = Math.floor(left / 16)) spelt += SYLLABLES[left % 16] ?? '';
  return spelt;
}
