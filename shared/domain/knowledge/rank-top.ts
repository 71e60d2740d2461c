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
  const list: Ranked[] = [];
  let floor = Number.MIN_VALUE;
  for (let slot = 0; slot < rows.length; slot += 1) {
    const row = (bounds[slot] ?? 0) < floor ? undefined : rows[slot];
    if (row !== undefined && choice.admits(row))
      floor = consider(list, { slot, row, value: choice.valueOf(slot, row) }, choice);
  }
  return list;
};

/** Takes the entry into the list if it belongs there; returns what the next one must at least be worth. */
function consider(list: Ranked[], candidate: Ranked, { count }: Choice): number {
  const last = list.length === count ? list.at(-1) : undefined;
  if (last === undefined || candidate.value >= last.value) insert(list, candidate);
  if (list.length > count) list.pop();
  return list.length === count ? (list.at(-1)?.value ?? Number.POSITIVE_INFINITY) : Number.MIN_VALUE;
}

/** Keeps the list in order; its length is at most a hundred. */
function insert(list: Ranked[], candidate: Ranked): void {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const there = list[middle];
    if (there !== undefined && isBefore(there, candidate)) low = middle + 1;
    else high = middle;
  }
  list.splice(low, 0, candidate);
}

function isBefore(one: Ranked, other: Ranked): boolean {
  return one.value > other.value || (one.value === other.value && one.row.id < other.row.id);
}
