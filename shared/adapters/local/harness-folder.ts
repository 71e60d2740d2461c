// A harness package as a folder of YAML files, each checked against its contract (requirements section 6): what hca ships, and what a person puts.
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { parse } from 'yaml';
import * as z from 'zod';
import { HcaFault } from '#shared/contracts/errors.ts';
import { HarnessPackage } from '#shared/contracts/profile.ts';
import { packageFaults } from '#shared/domain/harness/check-package.ts';
import { clearIssue } from '#shared/domain/harness/clear-issue.ts';

/** Parts of a package, each in a file of its own; `harness.yaml` holds name, version and title. Only a catalogue may be left out. */
const PARTS = ['profile', 'families', 'tools', 'criteria', 'readiness', 'catalogue'] as const;
const FILES: readonly string[] = ['harness', ...PARTS].map((part) => `${part}.yaml`);
/** Far above what the largest package may have. */
const MOST_BYTES = 1024 * 1024;

/** A folder, and how it is called in what is said of it. */
export interface HarnessFolder {
  folder: string;
  shown: string;
}

/** The package in a folder; it is named like the folder. @throws HcaFault HcaBadInput naming file and field */
export const readHarness = async (at: HarnessFolder): Promise<HarnessPackage> => {
  await refuseOthers(at);
  const head = z.looseObject({}).safeParse(await readYaml(at, 'harness'));
  if (!head.success)
    throw invalid(at, 'harness', { field: 'harness', message: 'it does not hold name, version and title' });
  const parts = await Promise.all(PARTS.map(async (part) => [part, await readYaml(at, part)] as const));
  const parsed = HarnessPackage.safeParse({ ...head.data, ...Object.fromEntries(parts) });
  if (!parsed.success) throw faultIn(at, parsed.error.issues[0]);
  const name = path.basename(path.resolve(at.folder));
  if (parsed.data.name !== name)
    throw invalid(at, 'harness', { field: 'name', message: `it must be "${name}", like its folder` });
  const [fault] = packageFaults(parsed.data);
  if (fault !== undefined) throw invalid(at, fileOf(fault.field.split('.')[0]), fault);
  return parsed.data;
};

/** A file with a slip in its name would count for nothing, and nobody would be told. */
const refuseOthers = async (at: HarnessFolder): Promise<void> => {
  const files = await readdir(at.folder).catch((cause: unknown) => {
    throw new HcaFault('HcaBadInput', {
      message: `${at.shown} cannot be read as a folder`,
      field: 'folder',
      remedy: `give a folder with ${FILES.join(', ')}`,
      cause,
    });
  });
  const other = files.find((file) => /[.]ya?ml$/.test(file) && !FILES.includes(file));
  if (other === undefined) return;
  throw new HcaFault('HcaBadInput', {
    message: `${at.shown}/${other}: a package has no such file`,
    field: other,
    remedy: `name it like one of ${FILES.join(', ')}, or take it away`,
  });
};

/** Null for the one file that a package may leave out. */
const readYaml = async (at: HarnessFolder, part: string): Promise<unknown> => {
  const file = path.join(at.folder, `${part}.yaml`);
  const found = await stat(file).catch(() => null);
  if (found === null && part === 'catalogue') return null;
  if (found === null) throw invalid(at, part, { field: part, message: 'the file is missing' });
  if (!found.isFile() || found.size > MOST_BYTES)
    throw invalid(at, part, { field: part, message: `it is no file of at most ${MOST_BYTES} bytes` });
  try {
    return parse(await readFile(file, 'utf8'), { logLevel: 'error' });
  } catch (cause) {
    throw invalid(at, part, { field: part, message: firstLine(cause) });
  }
};

const firstLine = (cause: unknown): string =>
  String(cause instanceof Error ? cause.message : cause).split('\n')[0] ?? '';

const faultIn = (at: HarnessFolder, issue: z.core.$ZodIssue | undefined): HcaFault => {
  const { path: fields, message } = clearIssue(issue);
  return invalid(at, fileOf(fields[0]), { field: fields.length === 0 ? 'harness' : fields.join('.'), message });
};

const fileOf = (part: string | undefined): string => PARTS.find((one) => one === part) ?? 'harness';

const invalid = (
  { shown }: HarnessFolder,
  part: string,
  { field, message }: { field: string; message: string },
): HcaFault => {
  const file = `${shown}/${part}.yaml`;
  return new HcaFault('HcaBadInput', { message: `${file}: ${field}: ${message}`, field, remedy: `correct ${file}` });
};
