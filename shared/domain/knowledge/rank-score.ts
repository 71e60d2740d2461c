// BM25 over weighted fields: a field's words count as often as its weight says, then saturate together (BM25F with one length
// normalisation; Robertson, Zaragoza and Taylor 2004).
import { countIn, type Postings, slotIn } from './index-postings.ts';
import type { Store } from './index-store.ts';

/** A term of a question. `weight`: how much it counts, before its rarity. */
export interface WeightedTerm {
  number: number;
  weight: number;
}

/** Saturation and length normalisation: the textbook values, which the collections of bench/ leave where they are. */
const K1 = 1.5;
const B = 0.75;
/** Rarity is damped: a word that only one lesson has says less about the whole question than its plain idf claims. */
const RARITY_POWER = 0.75;

/** Adds each term's part to `store.scores`, term by term in the order given. */
export const addScores = (store: Store, terms: readonly WeightedTerm[]): void => {
  for (const { number, weight } of terms) {
    const postings = store.vocabulary.postings[number];
    if (postings !== undefined) addTerm(store, { postings, factor: weight * rarity(store, postings.length) });
  }
};

/** Inverse document frequency of a term in this many entries, damped; above 0. */
export const rarity = ({ slots }: Store, inEntries: number): number =>
  Math.log(1 + (slots.size - inEntries + 0.5) / (inEntries + 0.5)) ** RARITY_POWER;

/** The part of BM25 that depends on the count, 0 to K1 + 1. `length`: of the entry, weighted. */
export const saturate = (count: number, { length, average }: { length: number; average: number }): number =>
  (count * (K1 + 1)) / (count + K1 * (1 - B + (B * length) / average));

/** Average weighted length of an entry. */
export const averageLength = ({ total, slots }: Store): number => Math.max(1, total / Math.max(1, slots.size));

/** What each entry's length adds below the fraction, by slot; counted anew only when entries came or went. */
function normsOf(store: Store): Float64Array {
  const { norms, lengths, rows } = store;
  const average = averageLength(store);
  if (norms.average === average && norms.slots === rows.length) return norms.by;
  const by = norms.by.length < lengths.length ? new Float64Array(lengths.length) : norms.by;
  for (let slot = 0; slot < rows.length; slot += 1) by[slot] = K1 * (1 - B + (B * (lengths[slot] ?? 0)) / average);
  store.norms = { by, average, slots: rows.length };
  return by;
}

/** The one hot loop: the formula of `saturate` written out. */
function addTerm(store: Store, { postings, factor }: { postings: Postings; factor: number }): void {
  const { scores } = store;
  const norms = normsOf(store);
  const { packed, length } = postings;
  const most = factor * (K1 + 1);
  for (let at = 0; at < length; at += 1) {
    const posting = packed[at] ?? 0;
    const slot = slotIn(posting);
    const count = countIn(posting);
    scores[slot] = (scores[slot] ?? 0) + (most * count) / (count + (norms[slot] ?? 0));
  }
}
