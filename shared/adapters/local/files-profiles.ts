// The harness packages that come with hca, as files: a folder of folders (requirements section 6).
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { HcaFault } from '#shared/contracts/errors.ts';
import type { HarnessPackage } from '#shared/contracts/profile.ts';
import { noHarness } from '#shared/domain/harness/in-force.ts';
import type { ProfilesRead } from '#shared/ports/profiles.ts';
import { readHarness } from './harness-folder.ts';

/** Packages below a folder. They are read once: what comes with hca does not change while a host runs. */
export const filesProfiles = (folder: string): ProfilesRead => {
  const loaded = new Map<string, Promise<HarnessPackage>>();
  const names = async (): Promise<string[]> => {
    const entries = await readdir(folder, { withFileTypes: true }).catch((cause) => {
      throw new HcaFault('HcaUnavailable', {
        message: `the harness folder ${folder} cannot be read`,
        field: 'harnesses',
        remedy: 'install hca again',
        retryable: false,
        cause,
      });
    });
    return entries
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name)
      .sort();
  };
  const load = async (name: string): Promise<HarnessPackage> => {
    const known = loaded.get(name);
    if (known !== undefined) return known;
    const all = await names();
    if (!all.includes(name)) throw noHarness(name, all);
    const read = readHarness({ folder: path.join(folder, name), shown: `harnesses/${name}` });
    loaded.set(name, read);
    return read;
  };
  return { names, load, all: async () => Promise.all((await names()).map(load)) };
};
