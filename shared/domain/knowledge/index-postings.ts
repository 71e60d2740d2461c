// Postings of one term: slot and count of each entry that has it, packed in one number, in ascending order of slots.

/** Entries an index can hold in its life, removed ones included until it is packed: 24 bits of slot beside 8 bits of count. */
export const SLOTS = 2 ** 24;
const COUNT_BITS = 8;
/** Largest count that is told apart; at 255 the term frequency has long saturated. */
const COUNT_MASK = 255;

export interface Postings {
  packed: Uint32Array;
  length: number;
}

export const slotIn = (packed: number): number => packed >>> COUNT_BITS;
export const countIn = (packed: number): number => packed & COUNT_MASK;
export const pack = (slot: number, count: number): number => ((slot << COUNT_BITS) | Math.min(count, COUNT_MASK)) >>> 0;

/** Adds at the end; the slot must be above all that are there. Doubles the room when it is full. */
export const append = (postings: Postings, packed: number): void => {
  if (postings.length === postings.packed.length) {
    const wider = new Uint32Array(Math.max(2, postings.length * 2));
    wider.set(postings.packed);
    postings.packed = wider;
  }
  postings.packed[postings.length] = packed;
  postings.length += 1;
};

/** Takes the slot out, if it is there. */
export const erase = (postings: Postings, slot: number): void => {
  const at = find(postings, slot);
  if (at === undefined) return;
  postings.packed.copyWithin(at, at + 1, postings.length);
  postings.length -= 1;
};

function find({ packed, length }: Postings, slot: number): number | undefined {
  let [low, high] = [0, length - 1];
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const there = slotIn(packed[middle] ?? 0);
    if (there === slot) return middle;
    if (there < slot) low = middle + 1;
    else high = middle - 1;
  }
  return undefined;
}
