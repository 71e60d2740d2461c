// Words that stand side by side in the question and in an entry count again (the ordered part of sequential dependence; Metzler and
// Croft 2005). Only the best candidates are read, so the cost does not grow with the index.
import type { Row, Store } from './index-store.ts';
import { fieldAt } from './index-tokens.ts';
import { averageLength, rarity, saturate } from './rank-score.ts';
import type { Ranked } from './rank-top.ts';

/** What a pair counts beside a term; found as in feedback.ts. */
const PAIR_WEIGHT = 0.4;

/** Adds to `store.scores` what the pairs of `sequence`, the question's terms in order, give each candidate. */
export const addPairs = (store: Store, candidates: readonly Ranked[], sequence: Sequence): void => {
  const pairs = pairsOf(store, sequence);
  if (pairs.size === 0) return;
  const average = averageLength(store);
  const firsts = new Uint8Array(store.vocabulary.terms.length);
  for (const first of pairs.keys()) firsts[first] = 1;
  for (const { slot, row } of candidates) {
    const length = store.lengths[slot] ?? 0;
    let gain = 0;
    for (const [pair, count] of countPairs(row, { pairs, firsts, store })) {
      gain += PAIR_WEIGHT * pair.rarity * saturate(count, { length, average });
    }
    store.scores[slot] = (store.scores[slot] ?? 0) + gain;
  }
};

/** Numbers of terms in the order of the text; undefined where the index does not know the term. */
export type Sequence = readonly (number | undefined)[];

interface Pair {
  order: number;
  rarity: number;
}

/** By first term, then by second. */
type Pairs = Map<number, Map<number, Pair>>;

/** Distinct neighbours; a pair is as rare as the more frequent of its terms. */
function pairsOf(store: Store, sequence: Sequence): Pairs {
  const pairs: Pairs = new Map();
  for (const [order, second] of sequence.entries()) {
    const first = sequence[order - 1];
    if (first === undefined || second === undefined || first === second) continue;
    const pair = { order, rarity: Math.min(rarityOf(store, first), rarityOf(store, second)) };
    const seconds = pairs.get(first) ?? new Map<number, Pair>();
    if (!seconds.has(second)) seconds.set(second, pair);
    pairs.set(first, seconds);
  }
  return pairs;
}

function rarityOf(store: Store, term: number): number {
  return rarity(store, store.vocabulary.postings[term]?.length ?? 0);
}

interface Sought {
  pairs: Pairs;
  /** By term: 1 when a pair begins with it, so that every other word costs one look. */
  firsts: Uint8Array;
  store: Store;
}

/** Weighted counts of the pairs that the entry has, in the order of the question: sums come out the same for equal entries. */
function countPairs({ tokens }: Row, sought: Sought): [Pair, number][] {
  const counts = new Map<Pair, number>();
  let weight = 0;
  for (let at = 0; at < tokens.length; at += 1) {
    const field = fieldAt(tokens[at] ?? 0);
    if (field === undefined) addPair(counts, pairAt(tokens, at, sought), weight);
    else weight = sought.store.fields[field]?.weight ?? 0;
  }
  return [...counts].sort(([one], [other]) => one.order - other.order);
}

function pairAt(tokens: Uint32Array, at: number, { pairs, firsts }: Sought): Pair | undefined {
  const first = tokens[at] ?? 0;
  return firsts[first] === 1 ? pairs.get(first)?.get(tokens[at + 1] ?? -1) : undefined;
}

function addPair(counts: Map<Pair, number>, pair: Pair | undefined, weight: number): void {
  if (pair !== undefined) counts.set(pair, (counts.get(pair) ?? 0) + weight);
}
