// Understanding a goal in its workspace: clauses, family, the workspace's own checks, and the criteria (L2-PLN-02).

import type { Criterion } from '#shared/contracts/criterion.ts';
import type { TaskSpec } from '#shared/contracts/offer.ts';
import type { HarnessPackage } from '#shared/contracts/profile.ts';
import type { Project } from '#shared/contracts/project.ts';
import { writeCriteria } from '#shared/domain/harness/criteria.ts';
import { detectProject, wantedFiles } from '#shared/domain/harness/detect.ts';
import { type GoalReading, readGoal } from '#shared/domain/harness/goal.ts';
import type { PortAccess } from '#shared/ports/index.ts';

/** What was understood. `uncovered`: clauses that the workspace has no check for, with the reason. */
export interface Understanding {
  reading: GoalReading;
  harness: HarnessPackage;
  project: Project | null;
  criteria: Criterion[];
  uncovered: { clause: string; reason: string }[];
}

interface Question {
  spec: TaskSpec;
  packages: HarnessPackage[];
  families: string[];
}

/** The harness packages a task may be done with: the one that was chosen, or all. */
export const packagesFor = (
  { harness }: Pick<TaskSpec, 'harness'>,
  packages: readonly HarnessPackage[],
): HarnessPackage[] => packages.filter(({ name }) => harness === undefined || name === harness);

/** Reads the goal with the harness that covers it, looks at the workspace's snapshot, and writes the criteria. Only for a goal that was read before. */
export const understand = async (
  question: Question,
  ports: { workspaces: PortAccess['workspaces']['read'] },
): Promise<Understanding> => {
  const understood = await understandIfCovered(question, ports);
  if (understood === null) throw new Error(`bug: no harness covers ${question.spec.goal}`);
  return understood;
};

/** The same for a goal that no harness may cover any more, since packages change while tasks run: null then. */
export const understandIfCovered = async (
  { spec, packages: all, families }: Question,
  ports: { workspaces: PortAccess['workspaces']['read'] },
): Promise<Understanding | null> => {
  const packages = packagesFor(spec, all);
  const known = packages.flatMap((harness) => harness.families).filter(({ name }) => families.includes(name));
  const reading = readGoal(spec.goal, known);
  const family = spec.family ?? reading.clauses.find((clause) => !clause.side)?.family ?? null;
  const harness = packages.find((one) => one.families.some(({ name }) => name === family));
  if (harness === undefined) return null;
  const project = await look(spec, harness, ports);
  const written = writeCriteria({ goal: reading, project, harness, given: spec.criteria });
  return { reading, harness, project, ...written };
};

/** The workspace's own packages, checks and fixers, read from the snapshot without opening a session. */
const look = async (
  spec: TaskSpec,
  harness: HarnessPackage,
  { workspaces }: { workspaces: PortAccess['workspaces']['read'] },
): Promise<Project | null> => {
  if (spec.workspace === null || harness.catalogue === null) return null;
  const { tree } = spec.workspace;
  const paths = (await workspaces.list(tree)).map(({ path }) => path);
  const texts = new Map<string, string>();
  for (const path of wantedFiles(paths, harness.catalogue)) {
    const bytes = await workspaces.read(tree, path);
    if (bytes !== null) texts.set(path, Buffer.from(bytes).toString('utf8'));
  }
  return detectProject({ paths, read: (path) => texts.get(path) }, harness.catalogue);
};
