// Harness packages as files: a folder of folders, each file of a package checked against its contract (requirements section 6).
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { parse } from 'yaml';
import * as z from 'zod';
import { HcaFault } from '#shared/contracts/errors.ts';
import { HarnessPackage } from '#shared/contracts/profile.ts';
import { packageFaults } from '#shared/domain/harness/check-package.ts';
import type { Profiles } from '#shared/ports/profiles.ts';

/** Part of a package and the file it is in; `harness.yaml` holds name, version and title. */
const PARTS = ['profile', 'families', 'tools', 'criteria', 'readiness', 'catalogue'] as const;

/** Packages below a folder. They are read once: a package does not change while a host runs. */
export const filesProfiles = (folder: string): Profiles => {
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
    const known = loaded.get(name) ?? (await names()).includes(name);
    if (known === false) {
      throw new HcaFault('HcaNotFound', {
        message: `there is no harness "${name}"`,
        field: 'harness',
        remedy: `one of: ${(await names()).join(', ')}`,
      });
    }
    const package_ = known === true ? readPackage(folder, name) : known;
    loaded.set(name, package_);
    return package_;
  };
  return { names, load, all: async () => Promise.all((await names()).map(load)) };
};

const readPackage = async (folder: string, name: string): Promise<HarnessPackage> => {
  const head = z.looseObject({}).safeParse(await readYaml(folder, name, 'harness'));
  const parts = await Promise.all(PARTS.map(async (part) => [part, await readYaml(folder, name, part)] as const));
  const parsed = HarnessPackage.safeParse({ ...head.data, ...Object.fromEntries(parts) });
  if (!parsed.success) throw faultIn(name, parsed.error.issues[0]);
  if (parsed.data.name !== name)
    throw invalid(`harnesses/${name}/harness.yaml`, {
      field: 'name',
      message: `it must be "${name}", like its folder`,
    });
  const [fault] = packageFaults(parsed.data);
  if (fault !== undefined) throw invalid(`harnesses/${name}/${fault.field.split('.')[0] ?? ''}.yaml`, fault);
  return parsed.data;
};

/** Null for the one file that a package may leave out. */
const readYaml = async (folder: string, name: string, part: string): Promise<unknown> => {
  const file = `harnesses/${name}/${part}.yaml`;
  const text = await readFile(path.join(folder, name, `${part}.yaml`), 'utf8').catch(() => null);
  if (text === null && part === 'catalogue') return null;
  if (text === null) throw invalid(file, { field: part, message: 'the file is missing' });
  try {
    return parse(text);
  } catch (cause) {
    throw invalid(file, {
      field: part,
      message: cause instanceof Error ? (cause.message.split('\n')[0] ?? '') : 'it is not YAML',
    });
  }
};

const faultIn = (name: string, issue: z.core.$ZodIssue | undefined): HcaFault => {
  const [part = 'harness', ...rest] = (issue?.path ?? []).map(String);
  const file = PARTS.find((one) => one === part) ?? 'harness';
  return invalid(`harnesses/${name}/${file}.yaml`, {
    field: [part, ...rest].join('.'),
    message: issue?.message ?? 'it is not valid',
  });
};

const invalid = (file: string, { field, message }: { field: string; message: string }): HcaFault =>
  new HcaFault('HcaBadInput', { message: `${file}: ${field}: ${message}`, field, remedy: `correct ${file}` });
