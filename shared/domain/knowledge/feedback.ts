// Relevance feedback without a person: what the best entries say in common is added to the question (RM3 after Lavrenko and Croft 2001,
// with the weight of a term as in BM25). How far an entry behind the best one is heard falls steeply with its score, so that one entry
// that answers alone is not drowned by its neighbours (L3-KBQ-04).
import type { Store } from './index-store.ts';
import { countTerms } from './index-tokens.ts';
import { averageLength, rarity, saturate, type WeightedTerm } from './rank-score.ts';
import type { Ranked } from './rank-top.ts';

/*
 * These, and PAIR_WEIGHT and RARITY_POWER, are what descending one by one from textbook values found best on the even queries of both collections of bench/, within
 * a grid of three to six values each; of what was within 0.2 % the cheapest. The odd queries were looked at afterwards (docs/figures.md).
 */

/** Entries that are read. */
export const FEEDBACK_ENTRIES = 10;
/** Terms that are added. */
const FEEDBACK_TERMS = 20;
/** What the strongest of them counts, beside 1 for a word of the question. */
const FEEDBACK_WEIGHT = 0.5;
/** An entry with 90 % of the best score is heard at 0.9 ** 10 = 35 %, one with 70 % at 3 %. */
const STEEPNESS = 10;
/** A term must be said by so many of them: a word of one entry is that entry's own. */
const FEWEST_ENTRIES = 2;
/** Postings that may be read for all added terms together: a quarter of a millisecond, however large the index. */
const FEEDBACK_POSTINGS = 50_000;

/** Terms that the best entries (best first) would add, the question's own included: being said again, they count more. */
export const feedbackTerms = (store: Store, top: readonly Ranked[]): WeightedTerm[] => {
  const chosen = heard(store, top)
    .sort((one, other) => other.weight - one.weight)
    .slice(0, FEEDBACK_TERMS);
  const strongest = chosen[0]?.weight ?? 1;
  return affordable(store, chosen).map(({ number, weight }) => ({
    number,
    weight: (FEEDBACK_WEIGHT * weight) / strongest,
  }));
};

/** Every term that enough entries say, by how much they say it and how rare it is; in the order of the entries and their texts. */
function heard(store: Store, top: readonly Ranked[]): WeightedTerm[] {
  const average = averageLength(store);
  const said = sharedTerms(store, top);
  const weights = new Map<number, number>();
  for (const [at, { slot, value }] of top.entries()) {
    const voice = (value / (top[0]?.value ?? value)) ** STEEPNESS;
    const length = store.lengths[slot] ?? 0;
    for (const [number, count] of said[at] ?? [])
      weights.set(number, (weights.get(number) ?? 0) + voice * saturate(count, { length, average }));
  }
  return [...weights].map(([number, weight]) => ({ number, weight: weight * rarity(store, frequency(store, number)) }));
}

/** Of each entry the terms that enough of them say, with their counts. */
function sharedTerms({ vocabulary, fields }: Store, top: readonly Ranked[]): [number, number][][] {
  const said = top.map(({ row }) => countTerms(row.tokens, fields));
  const entries = new Uint8Array(vocabulary.terms.length);
  for (const counts of said) for (const term of counts.keys()) entries[term] = (entries[term] ?? 0) + 1;
  return said.map((counts) => [...counts].filter(([term]) => (entries[term] ?? 0) >= FEWEST_ENTRIES));
}

/** Passes over terms that would read more postings than are left. */
function affordable(store: Store, terms: readonly WeightedTerm[]): WeightedTerm[] {
  let left = FEEDBACK_POSTINGS;
  return terms.filter(({ number }) => {
    const cost = frequency(store, number);
    if (cost > left) return false;
    left -= cost;
    return true;
  });
}

function frequency({ vocabulary }: Store, term: number): number {
  return vocabulary.postings[term]?.length ?? 0;
}
