// Which harness packages are in force: those that come with hca, and in their place what was put under the same name.
import { HcaFault } from '#shared/contracts/errors.ts';
import type { HarnessPackage } from '#shared/contracts/profile.ts';

/** Packages in force, sorted by name. */
export const inForce = (shipped: readonly HarnessPackage[], own: readonly HarnessPackage[]): HarnessPackage[] =>
  byName([...shipped.filter(({ name }) => !own.some((one) => one.name === name)), ...own]);

/** Sorted by name, whatever the language of the machine. */
export const byName = (packages: readonly HarnessPackage[]): HarnessPackage[] =>
  [...packages].sort((left, right) => (left.name < right.name ? -1 : 1));

/** The package of a name. @throws HcaFault HcaNotFound */
export const named = (packages: readonly HarnessPackage[], name: string): HarnessPackage => {
  const found = packages.find((one) => one.name === name);
  if (found !== undefined) return found;
  throw noHarness(
    name,
    packages.map((one) => one.name),
  );
};

/** The fault of a name that no package has. */
export const noHarness = (name: string, names: readonly string[]): HcaFault =>
  new HcaFault('HcaNotFound', {
    message: `there is no harness "${name}"`,
    field: 'harness',
    remedy: `one of: ${names.join(', ')}`,
  });

/** The fault of a package that was overtaken while it was put. */
export const overtaken = ({ name, version }: HarnessPackage): HcaFault =>
  new HcaFault('HcaConflict', {
    message: `the harness ${name} was put with version ${version} or a later one in the meantime`,
    field: 'version',
    remedy: `compare yours with hca harness show ${name}, and give it a higher version`,
    retryable: false,
  });
