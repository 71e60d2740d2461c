// Clearing up after a fix in a workspace whose formatting was red before: only in files that the work itself has touched.
import type { FrozenCall } from '#shared/contracts/frozen-tool.ts';
import type { Plan } from '#shared/contracts/plan.ts';
import type { WorkState } from '#shared/contracts/task.ts';
import type { StepPorts } from '#shared/ports/index.ts';

interface Turn {
  plan: Pick<Plan, 'baseline'>;
  work: Pick<WorkState, 'start' | 'tree'>;
  call: Pick<FrozenCall, 'touched'>;
}

/** The files that a call may change, or null for a call that is not held to them. Files that were named as red before stay as they are. */
export const touchedFiles = async (
  { plan, work, call }: Turn,
  { workspaces }: Pick<StepPorts<'work'>, 'workspaces'>,
): Promise<ReadonlySet<string> | null> => {
  if (call.touched === null) return null;
  const run = plan.baseline.find(({ criterion }) => criterion === call.touched);
  if (run?.outcome !== 'fail' || work.start === work.tree) return new Set();
  const before = new Map((await workspaces.list(work.start)).map(({ path, sha256 }) => [path, sha256]));
  const changed = (await workspaces.list(work.tree)).filter(({ path, sha256 }) => before.get(path) !== sha256);
  const red = new Set(run.failures.flatMap((line) => line.split(NO_PATH)));
  return new Set(changed.map(({ path }) => path).filter((path) => !isNamed(path, red)));
};

/** What surrounds a path in what a formatter says. */
const NO_PATH = /[\s:'"()[\],]+/;

/** A check that runs in a folder names files from there. */
const isNamed = (path: string, red: ReadonlySet<string>): boolean => {
  const parts = path.split('/');
  return parts.some((_, at) => red.has(parts.slice(at).join('/')) || red.has(`./${parts.slice(at).join('/')}`));
};
