// A holarchy file beside the holarchy in force (L1-HIE): holons added, removed and changed field by field, and the policy.
import type { Difference } from '#shared/contracts/difference.ts';
import type { HolarchyFile } from '#shared/contracts/holon.ts';
import { differenceOf, differencesOf } from './differences.ts';

/** What would change; null: no holarchy is in force. */
export const holarchyChanges = (before: HolarchyFile | null, after: HolarchyFile): Difference[] => [
  ...differenceOf('policy', before?.policy ?? null, after.policy),
  ...differencesOf('holon', { before: before?.holons ?? [], after: after.holons, nameOf: ({ id }) => id }),
];

/** Ids of the holons that would be gone. */
export const leaving = (changes: readonly Difference[]): string[] =>
  changes.filter(({ part, how }) => part === 'holon' && how === 'removed').map(({ name }) => name);
