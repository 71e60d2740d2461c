// All postings at once from the tokens of all rows: counted first, then written into one array that the terms share.

import { countIn, pack, slotIn } from './index-postings.ts';
import type { Row, Store } from './index-store.ts';
import { fieldAt } from './index-tokens.ts';

/** Fills the postings of a store without rows, as if the rows had been added in this order from slot 0; returns their weighted lengths. */
export const fillPostings = (store: Store, rows: readonly Row[]): Uint32Array => {
  const { postings } = store.vocabulary;
  const starts = startsOf(countEntries(rows, postings.length));
  const plan: Plan = {
    weights: Uint32Array.from(store.fields, ({ weight }) => weight),
    starts,
    ends: starts.slice(0, postings.length),
    shared: new Uint32Array(starts[postings.length] ?? 0),
  };
  const lengths = Uint32Array.from(rows, ({ tokens }, slot) => writeRow(plan, { tokens, slot }));
  for (const [term, list] of postings.entries()) {
    list.packed = plan.shared.subarray(starts[term], starts[term + 1]);
    list.length = list.packed.length;
  }
  return lengths;
};

/** `shared`: the postings of all terms; those of a term lie from its start up to its end, which moves as they are written. */
interface Plan {
  weights: Uint32Array;
  starts: Uint32Array;
  ends: Uint32Array;
  shared: Uint32Array;
}

/** Where each term's postings begin, and where all end. */
function startsOf(frequencies: Uint32Array): Uint32Array {
  const starts = new Uint32Array(frequencies.length + 1);
  for (let term = 0; term < frequencies.length; term += 1)
    starts[term + 1] = (starts[term] ?? 0) + (frequencies[term] ?? 0);
  return starts;
}

/** In how many rows each term is. */
function countEntries(rows: readonly Row[], terms: number): Uint32Array {
  const frequencies = new Uint32Array(terms);
  const seenIn = new Int32Array(terms).fill(-1);
  for (const [slot, { tokens }] of rows.entries()) countRow({ frequencies, seenIn }, { tokens, slot });
  return frequencies;
}

function countRow(
  { frequencies, seenIn }: { frequencies: Uint32Array; seenIn: Int32Array },
  { tokens, slot }: { tokens: Uint32Array; slot: number },
): void {
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at] ?? 0;
    if (token >= seenIn.length || seenIn[token] === slot) continue;
    seenIn[token] = slot;
    frequencies[token] = (frequencies[token] ?? 0) + 1;
  }
}

function writeRow(plan: Plan, { tokens, slot }: { tokens: Uint32Array; slot: number }): number {
  let [weight, length] = [0, 0];
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at] ?? 0;
    const field = fieldAt(token);
    if (field !== undefined) weight = plan.weights[field] ?? 0;
    else length += writeToken(plan, token, pack(slot, weight));
  }
  return length;
}

/** A repeat finds the row's slot at the end of the term's postings already, and raises its count. */
function writeToken({ starts, ends, shared }: Plan, token: number, posting: number): number {
  const end = ends[token] ?? 0;
  const last = shared[end - 1] ?? 0;
  if (end > (starts[token] ?? 0) && slotIn(last) === slotIn(posting)) {
    shared[end - 1] = pack(slotIn(last), countIn(last) + countIn(posting));
  } else {
    shared[end] = posting;
    ends[token] = end + 1;
  }
  return countIn(posting);
}
