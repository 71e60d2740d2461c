// A harness package written as the folder of YAML files from which it can be put again.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { stringify } from 'yaml';
import { HcaFault } from '#shared/contracts/errors.ts';
import type { HarnessPackage } from '#shared/contracts/profile.ts';

/** Writes it into a new folder below a folder, named like the package. @throws HcaFault HcaBadInput when there is one already */
export const writeHarness = (harness: HarnessPackage, below: string): string => {
  const folder = path.join(below, harness.name);
  const { name, version, title, catalogue, ...parts } = harness;
  const files = { harness: { name, version, title }, ...parts, ...(catalogue === null ? {} : { catalogue }) };
  try {
    mkdirSync(below, { recursive: true });
    mkdirSync(folder);
    for (const [part, content] of Object.entries(files))
      writeFileSync(path.join(folder, `${part}.yaml`), stringify(content, { lineWidth: 120 }));
  } catch (cause) {
    throw new HcaFault('HcaBadInput', {
      message: `${folder} cannot be written: ${cause instanceof Error ? cause.message : String(cause)}`,
      field: '--to',
      remedy: `name a folder that you may write, and in which there is no ${harness.name} yet`,
      cause,
    });
  }
  return folder;
};
