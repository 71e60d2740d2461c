// The fewest sets that cover what is wanted: exact where that is quick, else the largest first (requirements section 8, planning).

/** From here on the exact search would look at too many combinations (24 over 6 is 134,596) and the largest cover is taken first. */
const EXACT = { sets: 24, families: 6 };

/** Anything that has families. */
export interface Able {
  families: readonly string[];
}

/** The fewest of `able` that together have every one of `families`, ties to the first ones; [] when they cannot. */
export function fewest<A extends Able>(able: readonly A[], families: readonly string[]): A[] {
  if (able.length > EXACT.sets || families.length > EXACT.families) return greedy(able, families);
  for (let size = 0; size <= families.length; size += 1) {
    const found = coverOf(able, families, size);
    if (found !== null) return found;
  }
  return [];
}

/** The first cover with at most `size` children, in the order of the file. */
function coverOf<A extends Able>(able: readonly A[], families: readonly string[], size: number): A[] | null {
  if (families.length === 0) return [];
  if (size === 0) return null;
  for (const [index, child] of able.entries()) {
    const left = without(families, child);
    const rest = left.length < families.length ? coverOf(able.slice(index + 1), left, size - 1) : null;
    if (rest !== null) return [child, ...rest];
  }
  return null;
}

function greedy<A extends Able>(able: readonly A[], families: readonly string[]): A[] {
  const gain = (child: A): number => families.length - without(families, child).length;
  const best = able.reduce<A | null>((top, child) => (top === null || gain(child) > gain(top) ? child : top), null);
  if (best === null || gain(best) === 0) return [];
  return [best, ...greedy(able, without(families, best))];
}

const without = (families: readonly string[], child: Able): string[] =>
  families.filter((family) => !child.families.includes(family));
