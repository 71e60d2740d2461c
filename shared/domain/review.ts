// Who reviews, and how: never the producer, never inside the producer's own subtree if another exists (L2-EVL-01, L1-REV-01).
import type { ArtifactRef } from '#shared/contracts/artifact.ts';
import type { HolonCard } from '#shared/contracts/holon.ts';
import type { Verdict } from '#shared/contracts/verdict.ts';
import { ancestorsOf, subtreeOf } from '#shared/domain/holarchy.ts';

/**
 * The evaluator of what `producer` made: ready, evaluating, another holon, not yet tried (a tried one was unable to judge this), outside
 * the producer's subtree where there is one; then the nearest in the tree, then the first in the file. Null when there is none left.
 */
export function chooseEvaluator(input: {
  cards: readonly HolonCard[];
  producer: string;
  tried: readonly string[];
}): string | null {
  const { cards, producer, tried } = input;
  const able = cards.filter(
    (card) => card.evaluates && card.state === 'ready' && card.id !== producer && !tried.includes(card.id),
  );
  const own = new Set(subtreeOf(cards, producer));
  const outside = able.filter((card) => !own.has(card.id));
  return nearest(outside.length > 0 ? outside : able, cards, producer);
}

/** What is to be reviewed: how many children's change sets were merged (0 for a leaf's own work), and the last child's verdict. */
export interface Reviewed {
  children: number;
  verdict: Verdict | null;
  criteria: readonly string[];
  artifact: ArtifactRef | null;
}

/**
 * `inherit` only when exactly one child's change was taken over, to the byte, and its accepted verdict checked every criterion asked for
 * here; everything else is run again (architecture section 7, review).
 */
export function reviewMode({ children, verdict, criteria, artifact }: Reviewed): 'inherit' | 're-run' {
  if (children !== 1 || verdict === null || artifact === null) return 're-run';
  const accepted = verdict.result === 'pass' || verdict.result === 'partial';
  const same = verdict.artifacts.some((one) => one.kind === artifact.kind && one.sha256 === artifact.sha256);
  return accepted && same && checksAll(verdict, criteria) ? 'inherit' : 're-run';
}

function checksAll(verdict: Verdict, criteria: readonly string[]): boolean {
  const checked = verdict.criteria.filter((one) => one.result !== 'unchecked').map((one) => one.criterion);
  return criteria.length > 0 && criteria.every((id) => checked.includes(id));
}

function nearest(able: readonly HolonCard[], cards: readonly HolonCard[], producer: string): string | null {
  const near = able.map((card) => ({ id: card.id, hops: hops(cards, card.id, producer) }));
  const best = near.reduce<(typeof near)[number] | null>(
    (top, one) => (top === null || one.hops < top.hops ? one : top),
    null,
  );
  return best?.id ?? null;
}

/** Steps up and down the tree between two holons; without a common ancestor, as far as can be. */
function hops(cards: readonly HolonCard[], a: string, b: string): number {
  const up = [a, ...ancestorsOf(cards, a)];
  const down = [b, ...ancestorsOf(cards, b)];
  const meet = up.findIndex((id) => down.includes(id));
  return meet < 0 ? Number.POSITIVE_INFINITY : meet + down.indexOf(up[meet] ?? '');
}
