// The code-fix package and what it makes of a few files, for tests of the harness rules.
import path from 'node:path';
import { filesProfiles } from '#shared/adapters/local/files-profiles.ts';
import type { Criterion } from '#shared/contracts/criterion.ts';
import type { HarnessPackage } from '#shared/contracts/profile.ts';
import type { Catalogue, Project } from '#shared/contracts/project.ts';
import { writeCriteria } from '#shared/domain/harness/criteria.ts';
import { detectProject } from '#shared/domain/harness/detect.ts';
import { readGoal } from '#shared/domain/harness/goal.ts';

export const HARNESSES = path.resolve(import.meta.dirname, '../../harnesses');

export const codeFix: HarnessPackage = await filesProfiles(HARNESSES).load('code-fix');
export const certification: HarnessPackage = await filesProfiles(HARNESSES).load('certification');

export const catalogue: Catalogue = codeFix.catalogue!;

/** What is detected in these files. */
export const detect = (files: Readonly<Record<string, string>>): Project =>
  detectProject({ paths: Object.keys(files), read: (file) => files[file] }, catalogue);

/** A package.json with these scripts. */
export const scripts = (all: Record<string, string>, rest: object = {}): string =>
  JSON.stringify({ scripts: all, ...rest });

/** Criteria of a goal in these files. */
export const criteriaFor = (goal: string, files: Readonly<Record<string, string>>, given: Criterion[] = []) => {
  const project = detect(files);
  return { project, ...writeCriteria({ goal: readGoal(goal, codeFix.families), project, harness: codeFix, given }) };
};
