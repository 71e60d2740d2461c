// A harness package from a folder of a person, read by the same code that reads the packages of hca.
import path from 'node:path';
import { type HarnessFolder, readHarness } from '#shared/adapters/local/harness-folder.ts';
import type { HarnessPackage } from '#shared/contracts/profile.ts';

/** The package in a folder, named in messages as it was given. @throws HcaFault HcaBadInput naming file and field */
export const readHarnessFolder = (given: string, cwd: string): Promise<HarnessPackage> => {
  const at: HarnessFolder = { folder: path.resolve(cwd, given), shown: given.replace(/(?<=.)\/+$/, '') };
  return readHarness(at);
};
