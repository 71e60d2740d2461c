// The holarchy as a whole through the door: shown, compared with a file, and replaced by one (L1-HIE).
import { HcaFault, type Problem } from '#shared/contracts/errors.ts';
import type { HolarchyFile } from '#shared/contracts/holon.ts';
import { holarchyChanges, leaving } from '#shared/domain/compare-holarchies.ts';
import { inForce } from '#shared/domain/harness/in-force.ts';
import { checkHolarchy } from '#shared/domain/holarchy.ts';
import type { DoorHouse, Handler } from './ports.ts';
import { asFault } from './terms.ts';

export const showHolarchy: Handler<'_hca/holarchy/show'> = async ({ principal, door }) => ({
  version: 1,
  policy: await door.ports.holons.policy(principal.tenant),
  holons: await door.ports.holons.all(principal.tenant),
});

export const diffHolarchy: Handler<'_hca/holarchy/diff'> = ({ params, principal, door }) =>
  compare(params.file, principal.tenant, door.ports);

/** Replaces the holarchy; one that says the same is left alone. @throws HcaFault HcaRefused while a holon that would be gone is at work */
export const applyHolarchy: Handler<'_hca/holarchy/apply'> = async ({ params, principal, door }) => {
  const { file, force } = params;
  const compared = await compare(file, principal.tenant, door.ports);
  const busy = compared.open[0];
  if (busy !== undefined && !force) throw atWork(busy);
  const applied = compared.changes.length > 0;
  if (applied) await door.ports.holons.load(principal.tenant, file);
  const root = file.holons.find((card) => card.role === 'root')?.id ?? '';
  return { ...compared, holons: file.holons.length, root, applied };
};

const compare = async (file: HolarchyFile, tenant: string, { holons, tasks, profiles }: DoorHouse) => {
  const problem = checkHolarchy(file.holons)[0] ?? (await unknownHarness(file, profiles));
  if (problem !== undefined) throw asFault(problem);
  const cards = await holons.all(tenant);
  const before =
    cards.length === 0 ? null : { version: 1 as const, policy: await holons.policy(tenant), holons: cards };
  const changes = holarchyChanges(before, file);
  const lines = leaving(changes).map(async (holon) => ({ holon, open: await tasks.openOf(tenant, holon) }));
  return { changes, open: (await Promise.all(lines)).filter(({ open }) => open > 0) };
};

/** What was put a moment ago may not be known to this process yet, so before anything is refused it is looked for anew. */
const unknownHarness = async (
  { holons }: HolarchyFile,
  profiles: DoorHouse['profiles'],
): Promise<Problem | undefined> => {
  const missing = (known: readonly string[]): number =>
    holons.findIndex(({ harness }) => harness !== null && !known.includes(harness));
  if (missing(await profiles.names()) === -1) return undefined;
  const known = inForce(await profiles.shipped(), await profiles.own()).map(({ name }) => name);
  const at = missing(known);
  if (at === -1) return undefined;
  return {
    field: `holons[${at}].harness`,
    message: `the holon "${holons[at]?.id}" has the harness "${holons[at]?.harness}", and there is no such package`,
    remedy: `put it first (hca harness put <folder>), or name one of ${known.join(', ')}`,
  };
};

const atWork = ({ holon, open }: { holon: string; open: number }): HcaFault =>
  new HcaFault('HcaRefused', {
    message: `the holon "${holon}" has ${open} open ${open === 1 ? 'task' : 'tasks'} and is not in the file`,
    field: 'holons',
    remedy: `keep it with "state: draining" first: it takes no new task; leave it out when "hca holon status ${holon}" shows none, or use --force: its tasks then end as lost`,
  });
