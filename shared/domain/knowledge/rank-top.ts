// The best few of many: by value, ties by id, so that equal questions get equal answers whatever the order of arrival.
import type { Row, Store } from './index-store.ts';

export interface Ranked {
  slot: number;
  row: Row;
  value: number;
}

/** `bounds`: by slot, above 0 where the entry takes part; `admits`: the filter; `valueOf`: what to rank by, never above the bound. */
export interface Choice {
  count: number;
  bounds: Float64Array;
  admits: (row: Row) => boolean;
  valueOf: (slot: number, row: Row) => number;
}

/** The best `count` entries, best first. An entry whose bound cannot reach the list costs one comparison. */
export const best = ({ rows }: Store, choice: Choice): Ranked[] => {
  const { bounds } = choice;
  const heap: Ranked[] = [];
  let floor = choice.count > 0 ? Number.MIN_VALUE : Number.POSITIVE_INFINITY;
  for (let slot = 0; slot < rows.length; slot += 1) {
    const row = (bounds[slot] ?? 0) < floor ? undefined : rows[slot];
    if (row !== undefined && choice.admits(row))
      floor = consider(heap, { slot, row, value: choice.valueOf(slot, row) }, choice.count);
  }
  return heap.sort((one, other) => (isBefore(one, other) ? -1 : 1));
};

/** Takes the entry in if it belongs there; returns what the next one must at least be worth. */
function consider(heap: Ranked[], candidate: Ranked, count: number): number {
  const worst = heap[0];
  if (worst === undefined || heap.length < count) rise(heap, candidate);
  else if (isBefore(candidate, worst)) sink(heap, candidate);
  return heap.length < count ? Number.MIN_VALUE : (heap[0]?.value ?? 0);
}

/** Adds to a heap whose first is the worst: from the last place up. */
function rise(heap: Ranked[], candidate: Ranked): void {
  let at = heap.length;
  heap.push(candidate);
  while (at > 0) {
    const above = (at - 1) >> 1;
    const parent = heap[above];
    if (parent === undefined || isBefore(candidate, parent)) break;
    heap[at] = parent;
    at = above;
  }
  heap[at] = candidate;
}

/** Puts the candidate in the place of the worst: from the first place down. */
function sink(heap: Ranked[], candidate: Ranked): void {
  let at = 0;
  for (;;) {
    const below = worseOf(heap, 2 * at + 1);
    const child = heap[below];
    if (child === undefined || isBefore(child, candidate)) break;
    heap[at] = child;
    at = below;
  }
  heap[at] = candidate;
}

function worseOf(heap: readonly Ranked[], left: number): number {
  const [one, other] = [heap[left], heap[left + 1]];
  return one !== undefined && other !== undefined && isBefore(one, other) ? left + 1 : left;
}

function isBefore(one: Ranked, other: Ranked): boolean {
  return one.value > other.value || (one.value === other.value && one.row.id < other.row.id);
}
