// The index as data: rows in slots, postings by term, and the columns that scoring reads for every entry (L3-KBQ-04).
import { type Attributes, type Entry, type Field, LESSON_FIELDS } from './index-entry.ts';
import { append, erase, pack, SLOTS } from './index-postings.ts';
import { countTerms, tokenise } from './index-tokens.ts';
import { createVocabulary, type Vocabulary } from './index-vocabulary.ts';
import { standingOf } from './rank-prior.ts';

/** An entry as the index keeps it. */
export interface Row extends Attributes {
  tokens: Uint32Array;
}

/**
 * All state. `lengths`: weighted words by slot; `standing`: trust times outcome by slot; `scores` and `values`: what a search fills
 * anew; `norms`: what a length costs, see rank-score.ts; `total`: the sum of lengths. A removed entry leaves its slot empty until the store
 * is packed.
 */
export interface Store {
  fields: readonly Field[];
  vocabulary: Vocabulary;
  rows: (Row | undefined)[];
  slots: Map<string, number>;
  lengths: Uint32Array;
  standing: Float64Array;
  scores: Float64Array;
  values: Float64Array;
  norms: { by: Float64Array; average: number; slots: number };
  total: number;
}

/** Empty slots that are worth a packing: never below this, and never before they outnumber the entries. */
const FEWEST_HOLES = 1024;

export const createStore = (fields: readonly Field[] = LESSON_FIELDS, vocabulary = createVocabulary()): Store => ({
  fields,
  vocabulary,
  rows: [],
  slots: new Map(),
  lengths: new Uint32Array(1024),
  standing: new Float64Array(1024),
  scores: new Float64Array(1024),
  values: new Float64Array(1024),
  norms: { by: new Float64Array(0), average: 0, slots: 0 },
  total: 0,
});

/** Adds, or replaces what has the id. Text that stays the same keeps its slot: a new outcome costs no postings. */
export const putEntry = (store: Store, entry: Entry): void => {
  const { text, ...attributes } = entry;
  const row: Row = { ...attributes, tags: [...entry.tags], tokens: tokenise(text, store) };
  const slot = store.slots.get(entry.id);
  if (slot !== undefined && isSame(store.rows[slot]?.tokens, row.tokens)) {
    store.rows[slot] = row;
    store.standing[slot] = standingOf(row);
    return;
  }
  removeEntry(store, entry.id);
  const counts = countTerms(row.tokens, store.fields);
  const added = addRow(store, { row, length: sum(counts.values()) });
  for (const [term, count] of counts) {
    const postings = store.vocabulary.postings[term];
    if (postings !== undefined) append(postings, pack(added, count));
  }
};

/** Takes the next slot for a row; the caller fills its postings. */
export const addRow = (store: Store, { row, length }: { row: Row; length: number }): number => {
  const slot = store.rows.length;
  if (slot >= SLOTS) throw new RangeError(`an index holds ${SLOTS} entries`);
  widen(store, slot + 1);
  store.rows.push(row);
  store.slots.set(row.id, slot);
  store.lengths[slot] = length;
  store.standing[slot] = standingOf(row);
  store.total += length;
  return slot;
};

/** False when no entry has the id. */
export const removeEntry = (store: Store, id: string): boolean => {
  const slot = store.slots.get(id);
  const row = slot === undefined ? undefined : store.rows[slot];
  if (slot === undefined || row === undefined) return false;
  for (const term of countTerms(row.tokens, store.fields).keys()) {
    const postings = store.vocabulary.postings[term];
    if (postings !== undefined) erase(postings, slot);
  }
  store.total -= store.lengths[slot] ?? 0;
  store.rows[slot] = undefined;
  store.slots.delete(id);
  return true;
};

/** True when packing (encoding and decoding once) would at least halve the slots. */
export const hasManyHoles = ({ rows, slots }: Store): boolean =>
  rows.length - slots.size > Math.max(FEWEST_HOLES, slots.size);

function isSame(one: Uint32Array | undefined, other: Uint32Array): boolean {
  return one?.length === other.length && one.every((token, at) => token === other[at]);
}

function sum(counts: Iterable<number>): number {
  let total = 0;
  for (const count of counts) total += count;
  return total;
}

/** Doubles the columns when the slots outgrow them. */
function widen(store: Store, needed: number): void {
  if (needed <= store.lengths.length) return;
  const room = store.lengths.length * 2;
  const lengths = new Uint32Array(room);
  lengths.set(store.lengths);
  const standing = new Float64Array(room);
  standing.set(store.standing);
  Object.assign(store, { lengths, standing, scores: new Float64Array(room), values: new Float64Array(room) });
}
