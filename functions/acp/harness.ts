// Harness packages through the door: what is in force, what a package would change, put into the house and taken back (requirements section 6).
import { HcaFault } from '#shared/contracts/errors.ts';
import type { HarnessPackage } from '#shared/contracts/profile.ts';
import { packageFaults } from '#shared/domain/harness/check-package.ts';
import { packageChanges, placeProblem } from '#shared/domain/harness/compare-packages.ts';
import { inForce, named, noHarness } from '#shared/domain/harness/in-force.ts';
import type { Call, DoorHouse, DoorPorts, Handler } from './ports.ts';
import { asFault } from './terms.ts';

export const listHarnesses: Handler<'_hca/harness/list'> = async ({ principal, door }) => {
  const { all, own, shipped } = await packagesOf(door.ports);
  const cards = await door.ports.holons.all(principal.tenant);
  const harnesses = all.map(({ name, version, title, families, tools }) => ({
    name,
    version,
    title,
    origin: originOf(own, name),
    replaces: own.has(name) ? (shipped.find((one) => one.name === name)?.version ?? null) : null,
    families: families.map((family) => family.name),
    tools: tools.map((tool) => tool.name),
    holons: cards.filter(({ harness }) => harness === name).map(({ id }) => id),
  }));
  return { harnesses };
};

export const showHarness: Handler<'_hca/harness/show'> = async ({ params, door }) => {
  const { all, own } = await packagesOf(door.ports);
  return { origin: originOf(own, params.name), package: named(all, params.name) };
};

export const checkHarness: Handler<'_hca/harness/check'> = ({ params, door }) => compare(params.package, door.ports);

/** Puts a package in force; one that is there already is left alone. */
export const putHarness: Handler<'_hca/harness/put'> = async ({ params, principal, door }) => {
  mayChange(door, principal);
  const compared = await compare(params.package, door.ports);
  const stored = compared.was !== compared.version;
  if (stored) await door.ports.profiles.put(params.package);
  return { ...compared, stored };
};

/** Takes back what was put. @throws HcaFault HcaRefused where holons would be left without a harness, or for one that comes with hca */
export const removeHarness: Handler<'_hca/harness/remove'> = async ({ params, principal, door }) => {
  mayChange(door, principal);
  const { name } = params;
  const { holons, profiles } = door.ports;
  const back = (await profiles.shipped()).find((one) => one.name === name)?.version ?? null;
  const users = (await holons.all(principal.tenant)).filter(({ harness }) => harness === name).map(({ id }) => id);
  if (back === null && users.length > 0) throw inUse(name, users);
  if (await profiles.remove(name)) return { name, back };
  throw back === null ? noHarness(name, await profiles.names()) : comesWithHca(name);
};

const packagesOf = async ({ profiles }: DoorHouse) => {
  const [shipped, stored] = await Promise.all([profiles.shipped(), profiles.own()]);
  return { shipped, own: new Set(stored.map(({ name }) => name)), all: inForce(shipped, stored) };
};

const originOf = (own: ReadonlySet<string>, name: string) => (own.has(name) ? ('own' as const) : ('shipped' as const));

const compare = async (given: HarnessPackage, ports: DoorHouse) => {
  const [fault] = packageFaults(given);
  if (fault !== undefined)
    throw asFault({
      ...fault,
      field: `package.${fault.field}`,
      remedy: 'hca harness check <folder> says which file it is in',
    });
  const { all } = await packagesOf(ports);
  const before = all.find(({ name }) => name === given.name) ?? null;
  const changes = packageChanges(before, given);
  const others = all.filter(({ name }) => name !== given.name);
  const problem = placeProblem(given, { before, others, changes });
  if (problem !== null) throw refused(problem);
  return { name: given.name, version: given.version, was: before?.version ?? null, changes };
};

/** Packages are the house's: where it serves several tenants, one of them must not change what the others work with. */
const mayChange = ({ keeper }: DoorPorts, { tenant }: Call<'_hca/harness/put'>['principal']): void => {
  if (keeper === undefined || keeper === tenant) return;
  throw new HcaFault('HcaDenied', {
    message: 'harness packages are the same for every tenant of this host',
    field: 'tenant',
    remedy: `whoever runs it changes them, with a token of the tenant "${keeper}"`,
  });
};

const refused = (problem: ConstructorParameters<typeof HcaFault>[1]): HcaFault => new HcaFault('HcaRefused', problem);

const inUse = (name: string, users: string[]): HcaFault =>
  refused({
    message: `the harness ${name} is used by ${users.join(', ')}`,
    field: 'harness',
    remedy: 'hca holarchy apply a file in which nobody has it, then remove it',
  });

const comesWithHca = (name: string): HcaFault =>
  refused({
    message: `the harness ${name} comes with hca, nothing was put in its place`,
    field: 'harness',
    remedy: 'put a package of this name to replace it, or take its families from the cards of the holarchy',
  });
