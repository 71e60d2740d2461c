// What lessons change in a plan: the order of the alternatives that the harness has anyway, in the same situation only (L3-CTL-02, L3-CTL-03).
// They add no alternative, take none away, skip no criterion and grant nothing.
import type { FrozenTool } from '#shared/contracts/frozen-tool.ts';
import type { Lesson, LessonEffect, Signature } from '#shared/contracts/lesson.ts';
import type { HarnessPackage } from '#shared/contracts/profile.ts';
import { byProof } from './proof.ts';
import { isSameSituation } from './signature.ts';

/** Lessons about this very situation that may be used, best proven first; all others are nothing to this task. */
export const citable = (lessons: readonly Lesson[], situation: Signature): Lesson[] =>
  lessons
    .filter(({ trust, signature }) => isUsable(trust) && signature !== null && isSameSituation(signature, situation))
    .sort(byProof);

/** What they say of the alternatives of a family: the best proven lesson that names one decides. */
export const effectsOf = (cited: readonly Lesson[], harness: HarnessPackage, family: string): LessonEffect[] =>
  harness.tools.filter(({ families }) => families.includes(family)).flatMap(({ name }) => effectOn(name, cited));

/**
 * Those that made a difference: `chosen` was taken where `plain` would have been. What was promoted to the front, and what had to stand
 * behind it for that; nothing when the choice is the same.
 */
export const changesOf = (
  effects: readonly LessonEffect[],
  { chosen, plain }: { chosen: string; plain: string },
  harness: HarnessPackage,
): LessonEffect[] => {
  const ranked = harness.tools.toSorted(byRank).map(({ name }) => name);
  const isBefore = (name: string): boolean => ranked.indexOf(name) < ranked.indexOf(chosen);
  if (chosen === plain) return [];
  return effects.filter(({ effect, alternative }) =>
    effect === 'promotes' ? alternative === chosen : isBefore(alternative),
  );
};

/** The harness with its alternatives in the order that the effects ask for: promoted, untouched, demoted; by rank within each. */
export const reordered = (harness: HarnessPackage, effects: readonly LessonEffect[]): HarnessPackage => {
  if (effects.length === 0) return harness;
  const weightOf = ({ name }: FrozenTool): number =>
    WEIGHT[effects.find(({ alternative }) => alternative === name)?.effect ?? 'none'];
  const tools = harness.tools.toSorted((a, b) => weightOf(a) - weightOf(b) || byRank(a, b));
  return { ...harness, tools: tools.map((tool, at) => ({ ...tool, rank: at + 1 })) };
};

/** How a plan says it: `strong-fixes first (lesson-…)`. */
export const effectText = (effects: readonly LessonEffect[]): string =>
  effects
    .map(
      ({ effect, alternative, lesson }) => `${effect === 'promotes' ? 'earlier' : 'later'}: ${alternative} (${lesson})`,
    )
    .join(', ');

const WEIGHT = { promotes: 0, none: 1, demotes: 2 } as const;

const isUsable = (trust: Lesson['trust']): boolean => trust === 'provisional' || trust === 'confirmed';

const effectOn = (alternative: string, cited: readonly Lesson[]): LessonEffect[] => {
  const lesson = cited.find(({ alternatives }) => [...alternatives.for, ...alternatives.against].includes(alternative));
  if (lesson === undefined) return [];
  const effect = lesson.alternatives.for.includes(alternative) ? 'promotes' : 'demotes';
  return [{ lesson: lesson.id, version: lesson.version, effect, alternative }];
};

const byRank = (a: FrozenTool, b: FrozenTool): number => a.rank - b.rank || a.name.localeCompare(b.name);
