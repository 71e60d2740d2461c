// What this house lets a person choose among: harness packages that some holon works with, and models that policy allows by name.
import type { HarnessPackage } from '#shared/contracts/profile.ts';
import { firstMatch } from '#shared/domain/glob.ts';
import type { Offers } from '#shared/protocols/acp/choices.ts';
import type { Peer } from './peer.ts';

/** Read anew each time: holarchy and packages may change while a session is open. */
export const offersOf = async ({ principal, door }: Peer): Promise<Offers> => {
  const { holons, profiles } = door.ports;
  const cards = await holons.all(principal.tenant);
  const policy = await holons.policy(principal.tenant);
  const families = new Set(cards.flatMap((card) => card.families));
  const packages = await profiles.all();
  const usable = packages.filter((harness) => harness.families.some(({ name }) => families.has(name)));
  const models = [...policy.models, ...usable.flatMap(modelsOf)].filter(isName);
  return {
    harnesses: usable.map(({ name, title }) => ({ name, title })),
    models: [...new Set(models)].filter((model) => firstMatch(policy.models, model) !== null),
  };
};

const modelsOf = ({ profile }: HarnessPackage): string[] =>
  Object.values(profile.agent.lanes).flatMap((lane) => (lane?.model ? [lane.model] : []));

/** A pattern allows models, but names none. */
const isName = (model: string): boolean => !/[*?]/.test(model);
