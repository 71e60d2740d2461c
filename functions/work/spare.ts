// Undoes what a call changed in files that it must spare: tests, configuration, scripts, lock files (requirements section 3).
import type { TreeEntry } from '#shared/contracts/workspace.ts';
import { firstMatch } from '#shared/domain/glob.ts';
import type { WorkPorts } from './step.ts';

interface Spare {
  session: string;
  before: string;
  globs: readonly string[];
}

/** Compares the session with the tree before the call and puts spared files back, added ones away. */
export const sparePaths = async ({ session, before, globs }: Spare, ports: SparePorts): Promise<void> => {
  if (globs.length === 0) return;
  const old = spared(await ports.workspaces.list(before), globs);
  const now = spared(await ports.sandbox.list(session), globs);
  const changed = [...old.values()].filter(({ path, sha256 }) => now.get(path)?.sha256 !== sha256);
  for (const { path } of changed) {
    const bytes = await ports.workspaces.read(before, path);
    if (bytes !== null) await ports.sandbox.write(session, path, bytes);
  }
  for (const path of now.keys()) if (!old.has(path)) await ports.sandbox.remove(session, path);
};

type SparePorts = Pick<WorkPorts, 'sandbox' | 'workspaces'>;

const spared = (entries: readonly TreeEntry[], globs: readonly string[]): Map<string, TreeEntry> =>
  new Map(entries.filter(({ path }) => firstMatch(globs, path) !== null).map((entry) => [entry.path, entry]));
