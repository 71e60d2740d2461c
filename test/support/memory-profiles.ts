// Harness packages in memory: those that a test names come with the house, and others may be put.
import type { HarnessPackage } from '#shared/contracts/profile.ts';
import { byName, inForce, named, overtaken } from '#shared/domain/harness/in-force.ts';
import { soundPackage } from '#shared/domain/harness/sound-package.ts';
import type { Profiles } from '#shared/ports/profiles.ts';

export const memoryProfiles = (shipped: HarnessPackage[]): Profiles => {
  const own = new Map<string, HarnessPackage>();
  const all = async () => (own.size === 0 ? shipped : inForce(shipped, [...own.values()]));
  return {
    all,
    names: async () => (await all()).map(({ name }) => name),
    load: async (name) => named(await all(), name),
    shipped: async () => shipped,
    own: async () => byName([...own.values()]),
    put: async (given) => {
      const harness = soundPackage(given.name, given);
      if ((own.get(harness.name)?.version ?? 0) >= harness.version) throw overtaken(harness);
      own.set(harness.name, harness);
    },
    remove: async (name) => own.delete(name),
  };
};
