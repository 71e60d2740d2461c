// The shape of a holarchy and questions about it (L1-ID-01, L1-HIE-01 to L1-HIE-03, L1-CAP-02, L1-CAP-03, L2-EVL-01).
// Questions are safe on any list of cards, a broken one with cycles included; order is always that of the file.
import type { Problem } from '#shared/contracts/errors.ts';
import type { HolonCard } from '#shared/contracts/holon.ts';

/** Levels, the root being the first: a record's id grows with each and must stay within 70 characters. */
export const MAX_DEPTH = 5;

type Rule = (card: HolonCard, cards: readonly HolonCard[], index: number) => Problem | null;

/** Everything that is wrong with a holarchy, empty when it may be used. Fields are `holons[2].parent` as in the file. */
export function checkHolarchy(cards: readonly HolonCard[]): Problem[] {
  const each = cards.flatMap((card, index) => RULES.map((rule) => rule(card, cards, index)));
  return [...wholeProblems(cards), ...each.filter((problem) => problem !== null)];
}

/** Direct children of a holon. */
export const childrenOf = (cards: readonly HolonCard[], id: string): HolonCard[] =>
  cards.filter((card) => card.parent === id && card.id !== id);

/** Ids of a holon and everything below it, the holon first. */
export function subtreeOf(cards: readonly HolonCard[], id: string): string[] {
  const found = new Set(cards.some((card) => card.id === id) ? [id] : []);
  for (const above of found) for (const child of childrenOf(cards, above)) found.add(child.id);
  return [...found];
}

/** Ids of what is above a holon, its parent first, the root last. */
export function ancestorsOf(cards: readonly HolonCard[], id: string): string[] {
  const found = new Set<string>();
  let above = parentOf(cards, id);
  while (above !== null && above !== id && !found.has(above)) {
    found.add(above);
    above = parentOf(cards, above);
  }
  return [...found];
}

/** Task families a holon can see to: a worker's own, for a coordinator those of all workers below it. */
export const familiesOf = (cards: readonly HolonCard[], id: string): string[] =>
  union(workersOf(cards, id).map((card) => card.families));

/** Tools of a holon: a worker's own, for a coordinator those of all workers below it (L1-CAP-02, requirements section 8). */
export const toolsOf = (cards: readonly HolonCard[], id: string): string[] =>
  union(workersOf(cards, id).map((card) => card.tools));

/** Who works: every leaf, and a coordinator that has a harness of its own. */
function workersOf(cards: readonly HolonCard[], id: string): HolonCard[] {
  const below = new Set(subtreeOf(cards, id));
  return cards.filter((card) => below.has(card.id) && (card.role === 'leaf' || card.harness !== null));
}

const union = (lists: readonly (readonly string[])[]): string[] => [...new Set(lists.flat())];

const parentOf = (cards: readonly HolonCard[], id: string): string | null =>
  cards.find((card) => card.id === id)?.parent ?? null;

function wholeProblems(cards: readonly HolonCard[]): Problem[] {
  const problems: Problem[] = [];
  if (!cards.some((card) => card.role === 'root')) {
    problems.push({
      field: 'holons',
      message: 'There is no root.',
      remedy: 'Give exactly one holon the role "root" and no parent.',
    });
  }
  if (!canBeReviewed(cards)) {
    problems.push({
      field: 'holons',
      message: 'Nobody may review: no holon evaluates but the only one that produces.',
      remedy: 'Set "evaluates: true" on a holon that is neither the root nor the only one with families.',
    });
  }
  return problems;
}

/** The root's own result needs another holon too, so an evaluating root alone is not enough (L2-EVL-01). */
function canBeReviewed(cards: readonly HolonCard[]): boolean {
  const producers = cards.filter((card) => card.families.length > 0).map((card) => card.id);
  const isOnlyProducer = (id: string) => producers.length === 1 && producers[0] === id;
  return cards.some((card) => card.evaluates && card.role !== 'root' && !isOnlyProducer(card.id));
}

/** One rule, one problem at most, for each card. */
const RULES: readonly Rule[] = [
  (card, cards, index) => {
    const first = cards.findIndex((other) => other.id === card.id);
    if (first === index) return null;
    return at(index, 'id', [
      `"${card.id}" is the id of holons[${first}] already.`,
      'Give every holon an id of its own.',
    ]);
  },
  (card, cards, index) => {
    const first = cards.findIndex((other) => other.role === 'root');
    if (card.role !== 'root' || first === index) return null;
    return at(index, 'role', [`"${card.id}" is a second root.`, 'Make it "domain" or "leaf" and give it a parent.']);
  },
  (card, _cards, index) => {
    if (card.role === 'root' && card.parent !== null) {
      return at(index, 'parent', [`The root "${card.id}" has a parent.`, 'Leave the parent of the root out.']);
    }
    if (card.role === 'root' || card.parent !== null) return null;
    return at(index, 'parent', [`"${card.id}" has no parent.`, 'Name the holon above it.']);
  },
  (card, cards, index) => {
    if (card.parent === null || cards.some((other) => other.id === card.parent)) return null;
    const known = cards.filter((other) => other.role !== 'leaf').map((other) => other.id);
    return at(index, 'parent', [`There is no holon "${card.parent}".`, `Use one of: ${known.join(', ')}.`]);
  },
  (card, cards, index) => {
    const cycle = cycleOf(cards, card.id);
    const first = cards.find((other) => cycle.includes(other.id));
    if (first !== card) return null;
    return at(index, 'parent', [
      `Authority runs in a circle: ${[...cycle, card.id].join(' > ')}.`,
      'Give one of them a parent outside the circle.',
    ]);
  },
  (card, cards, index) => {
    if (cards.find((other) => other.id === card.parent)?.role !== 'leaf') return null;
    return at(index, 'parent', [
      `"${card.parent}" is a leaf and has no children.`,
      `Make "${card.parent}" a domain, or put "${card.id}" below a domain.`,
    ]);
  },
  (card, cards, index) => {
    if (cycleOf(cards, card.id).length > 0 || ancestorsOf(cards, card.id).length < MAX_DEPTH) return null;
    return at(index, 'parent', [
      `"${card.id}" lies deeper than ${MAX_DEPTH} levels.`,
      `Put it higher: the root is level 1, a holon may be on level ${MAX_DEPTH} at most.`,
    ]);
  },
  (card, _cards, index) => {
    if (card.role === 'leaf' || card.can_delegate) return null;
    return at(index, 'can_delegate', [
      `"${card.id}" coordinates but may not delegate.`,
      'Set "can_delegate: true", or make it a leaf.',
    ]);
  },
];

const at = (index: number, field: string, [message, remedy]: readonly [string, string]): Problem => ({
  field: `holons[${index}].${field}`,
  message,
  remedy,
});

/** The circle that a holon is part of, itself first, or nothing. */
function cycleOf(cards: readonly HolonCard[], id: string): string[] {
  const above = ancestorsOf(cards, id);
  const closes = parentOf(cards, above.at(-1) ?? id) === id;
  return closes ? [id, ...above] : [];
}
