// Relevance feedback without a person: what the best entries say in common is added to the question (RM3 after Lavrenko and Croft 2001,
// with the weight of a term as in BM25). How far an entry behind the best one is heard falls steeply with its score, so that one entry
// that answers alone is not drowned by its neighbours (L3-KBQ-04).
import type { Store } from './index-store.ts';
import { countTerms } from './index-tokens.ts';
import { averageLength, rarity, saturate, type WeightedTerm } from './rank-score.ts';
import type { Ranked } from './rank-top.ts';

/** Entries that are read. */
export const FEEDBACK_ENTRIES = 10;
/** Terms that are added. */
const FEEDBACK_TERMS = 40;
/** What the strongest of them counts, beside 1 for a word of the question. */
const FEEDBACK_WEIGHT = 0.4;
/** An entry with 90 % of the best score is heard at 0.9 ** 10 = 35 %, one with 70 % at 3 %. */
const STEEPNESS = 10;
/** A term must be said by so many of them: a word of one entry is that entry's own. */
const FEWEST_ENTRIES = 2;
/** Postings that may be read for all added terms together: half a millisecond, however large the index. */
const FEEDBACK_POSTINGS = 100_000;

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
  const terms = new Map<number, { weight: number; entries: number }>();
  for (const { slot, row, value } of top) {
    const voice = (value / (top[0]?.value ?? value)) ** STEEPNESS;
    for (const [number, count] of countTerms(row.tokens, store.fields)) {
      const term = terms.get(number) ?? { weight: 0, entries: 0 };
      term.weight += voice * saturate(count, { length: store.lengths[slot] ?? 0, average });
      term.entries += 1;
      terms.set(number, term);
    }
  }
  return [...terms]
    .filter(([, { entries }]) => entries >= FEWEST_ENTRIES)
    .map(([number, { weight }]) => ({ number, weight: weight * rarity(store, frequency(store, number)) }));
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
