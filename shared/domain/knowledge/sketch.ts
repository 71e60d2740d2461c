// When two lessons are the same one: a canonical hash for equal ones, MinHash for near-duplicates (L3 upkeep). Records are never merged; a
// group only has a head, and the head answers for it.
import type { Lesson } from '#shared/contracts/lesson.ts';
import { sha256Hex } from '../digest.ts';
import { PART } from './extract-children.ts';

/** `keys` are where it is looked up, the canonical hash first; `value` is what stands there: id and MinHash. */
export interface Sketch {
  keys: string[];
  value: string;
}

/** 48 permutations in 12 bands of 4: a pair that is 0.8 alike shares a band with 1 - (1 - 0.8^4)^12 = 0.998, one at 0.3 with 0.09. */
const PERMUTATIONS = 48;
const ROWS = 4;
/** Near-duplicates: this much alike (Jaccard, estimated; one permutation is 0.02). */
const NEAR = 0.8;

/** The sketch. Where a signature says what the situation was, neither folder nor wording counts. */
export const sketchOf = (lesson: Lesson): Sketch => {
  // What is kept apart never leads what is not: a poisoned first lesson would silence all that come after it.
  const place = lesson.trust === 'quarantined' ? 'apart' : 'open';
  const kind = [place, lesson.type, lesson.domain, lesson.family, lesson.provenance.origin].join('|');
  const tokens = tokensOf(lesson);
  const hashes = minHash(tokens);
  const bands = Array.from({ length: PERMUTATIONS / ROWS }, (_, band) => hashes.slice(band * ROWS, (band + 1) * ROWS));
  return {
    keys: [
      `same:${hex(`${kind}|${tokens.join(' ')}`)}`,
      ...bands.map(
        (band, at) => `near:${at}:${hash32(kind).toString(36)}.${band.map((hash) => hash.toString(36)).join('.')}`,
      ),
    ],
    value: `${lesson.id} ${hashes.map((hash) => hash.toString(36)).join('.')}`,
  };
};

/** The lesson that this one is a near-duplicate of, from what stands under its keys (null where nothing does); null when it is new. */
export const nearestOf = (sketch: Sketch, found: readonly (string | null)[]): string | null => {
  const own = hashesOf(sketch.value);
  const others = [...new Set(found)].filter((value) => value !== null);
  const same = found[0] ?? null;
  if (same !== null) return idOf(same);
  const near = others
    .map((value) => ({ id: idOf(value), alike: agreement(own, hashesOf(value)) }))
    .filter(({ alike }) => alike >= NEAR)
    .sort((a, b) => b.alike - a.alike || a.id.localeCompare(b.id));
  return near[0]?.id ?? null;
};

/** A coordinator's lesson is another one when the goal was split otherwise. */
const tokensOf = ({ signature, alternatives, tags, situation, advice, did_not_work }: Lesson): string[] => {
  const named = [
    ...alternatives.for.map((name) => `+${name}`),
    ...alternatives.against.map((name) => `-${name}`),
    ...tags.filter((tag) => tag.startsWith(PART)),
  ];
  if (signature === null) return unique([...named, ...shingles(`${situation} ${advice} ${did_not_work}`)]);
  const { tools, failures, checks } = signature;
  return unique([
    ...named,
    ...tools.map((tool) => `tool:${tool}`),
    ...failures,
    ...checks.map((kind) => `check:${kind}`),
  ]);
};

const unique = (tokens: readonly string[]): string[] => [...new Set(tokens)].sort();

/** Pairs of words in order, numbers alike: what a near-duplicate still shares when a word was changed here and there. */
const shingles = (text: string): string[] => {
  const words = (
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  ).map((word) => (/^\p{N}+$/u.test(word) ? '#' : word));
  return words.map((word, at) => `${word} ${words[at + 1] ?? ''}`);
};

const minHash = (tokens: readonly string[]): number[] => {
  const seeds = tokens.map((token) => hash32(token));
  return Array.from({ length: PERMUTATIONS }, (_, at) =>
    seeds.reduce((least, seed) => Math.min(least, mixed(seed ^ Math.imul(at + 1, 0x9e3779b1))), 0xffff_ffff),
  );
};

/** FNV-1a, 32 bits: to spread, never to trust. */
export const hash32 = (text: string): number => {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
};

/** Finaliser of MurmurHash3: every bit in changes every bit out. */
const mixed = (value: number): number => {
  let hash = value ^ (value >>> 16);
  hash = Math.imul(hash, 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
};

const agreement = (left: readonly string[], right: readonly string[]): number =>
  left.filter((hash, at) => hash === right[at]).length / PERMUTATIONS;

const idOf = (value: string): string => value.split(' ')[0] ?? '';

const hashesOf = (value: string): string[] => (value.split(' ')[1] ?? '').split('.');

const hex = (text: string): string => sha256Hex(new TextEncoder().encode(text));
