// Harness packages of an embedded house: those that come with hca, and those that were put into the home, one JSON file each (requirements section 6).
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import { HcaFault } from '#shared/contracts/errors.ts';
import type { HarnessPackage } from '#shared/contracts/profile.ts';
import { byName, inForce, named, overtaken } from '#shared/domain/harness/in-force.ts';
import { soundPackage } from '#shared/domain/harness/sound-package.ts';
import type { Profiles, ProfilesRead } from '#shared/ports/profiles.ts';

/** Packages of a home. One process has a home, so what was put is read once, and a package is looked at and replaced without a pause. */
export const homeProfiles = (shipped: Pick<ProfilesRead, 'all'>, folder: string): Profiles => {
  let known: Map<string, HarnessPackage> | undefined;
  const own = (): Map<string, HarnessPackage> => {
    known ??= readAll(folder);
    return known;
  };
  const all = async (): Promise<HarnessPackage[]> => inForce(await shipped.all(), [...own().values()]);
  return {
    all,
    names: async () => (await all()).map(({ name }) => name),
    load: async (name) => named(await all(), name),
    shipped: () => shipped.all(),
    own: async () => byName([...own().values()]),
    put: async (given) => {
      const harness = soundPackage(given.name, given);
      const before = own().get(harness.name);
      if (before !== undefined && before.version >= harness.version) throw overtaken(harness);
      writeWhole(folder, fileOf(harness.name), JSON.stringify(harness));
      own().set(harness.name, harness);
    },
    remove: async (name) => {
      if (!filesIn(folder).includes(fileOf(name))) return false;
      rmSync(path.join(folder, fileOf(name)));
      known?.delete(name);
      return true;
    },
  };
};

const fileOf = (name: string): string => `${name}.json`;

const filesIn = (folder: string): string[] => {
  try {
    return readdirSync(folder).filter((file) => file.endsWith('.json'));
  } catch {
    return [];
  }
};

const readAll = (folder: string): Map<string, HarnessPackage> =>
  new Map(filesIn(folder).map((file) => [file.slice(0, -'.json'.length), readOne(folder, file)]));

const readOne = (folder: string, file: string): HarnessPackage => {
  const name = file.slice(0, -'.json'.length);
  try {
    return soundPackage(name, JSON.parse(readFileSync(path.join(folder, file), 'utf8')));
  } catch (cause) {
    throw new HcaFault('HcaCorrupt', {
      message: `${path.join(folder, file)} is damaged: ${cause instanceof Error ? cause.message : String(cause)}`,
      field: 'harness',
      remedy: `hca harness remove ${name}, then put it again`,
      cause,
    });
  }
};

/** Under its name only when it is whole, and on the disk. */
const writeWhole = (folder: string, file: string, text: string): void => {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const beside = path.join(folder, `${file}.new`);
  const handle = openSync(beside, 'w', 0o600);
  try {
    writeSync(handle, text);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  renameSync(beside, path.join(folder, file));
};
