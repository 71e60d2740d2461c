// A harness package beside the one in force: what differs, and whether it may take its place.
import type { Difference } from '#shared/contracts/difference.ts';
import type { Problem } from '#shared/contracts/errors.ts';
import type { HarnessPackage } from '#shared/contracts/profile.ts';
import { differenceOf, differencesOf } from '../differences.ts';

/** Everything that differs but the version; null: there is none in force. */
export const packageChanges = (before: HarnessPackage | null, after: HarnessPackage): Difference[] => [
  ...(before === null ? [] : differenceOf('package', { title: before.title }, { title: after.title })),
  ...(before === null ? [] : differenceOf('profile', before.profile, after.profile)),
  ...differencesOf('family', { before: before?.families ?? [], after: after.families, nameOf }),
  ...differencesOf('tool', { before: before?.tools ?? [], after: after.tools, nameOf }),
  ...differencesOf('criterion', { before: before?.criteria ?? [], after: after.criteria, nameOf }),
  ...differencesOf('readiness', { before: before?.readiness ?? [], after: after.readiness, nameOf }),
  ...differenceOf('catalogue', before?.catalogue ?? null, after.catalogue),
];

const nameOf = ({ name }: { name: string }): string => name;

/** What is in the way of a package; null: nothing. `before`: of the same name; `others`: all other packages in force. */
export const placeProblem = (
  after: HarnessPackage,
  {
    before,
    others,
    changes,
  }: { before: HarnessPackage | null; others: readonly HarnessPackage[]; changes: Difference[] },
): Problem | null => versionProblem(after, before, changes) ?? familyProblem(after, others);

/** A version says what a package holds, so other content needs a higher one. */
const versionProblem = (
  after: HarnessPackage,
  before: HarnessPackage | null,
  changes: Difference[],
): Problem | null => {
  if (before === null || after.version > before.version) return null;
  if (after.version === before.version && changes.length === 0) return null;
  const content = changes.length === 0 ? 'with the same content' : 'with other content';
  return {
    field: 'version',
    message: `version ${before.version} of ${before.name} is in force, ${content}; this is version ${after.version}`,
    remedy: `write "version: ${before.version + 1}" into harness.yaml`,
  };
};

/** A goal belongs to one family, and a family to one package, else it would be chance which of them does it. */
const familyProblem = (after: HarnessPackage, others: readonly HarnessPackage[]): Problem | null => {
  for (const other of others) {
    const shared = after.families.find((family) => other.families.some(({ name }) => name === family.name));
    if (shared === undefined) continue;
    return {
      field: `families.${shared.name}`,
      message: `the family ${shared.name} belongs to the harness ${other.name}`,
      remedy: `give your family a name of its own, or your package the name ${other.name}: then it stands in its place`,
    };
  }
  return null;
};
