// Undoes what a call changed in files that it must spare: tests, configuration, scripts, lock files (requirements section 3).
import type { TreeEntry } from '#shared/contracts/workspace.ts';
import { firstMatch } from '#shared/domain/glob.ts';
import type { StepPorts } from '#shared/ports/index.ts';

interface Spare {
  session: string;
  before: string;
  /** What is put back. */
  spare: readonly string[];
  /** If not empty, everything else is put back too. */
  only: readonly string[];
  /** If not null, every file that is not in it is put back too. */
  touched: ReadonlySet<string> | null;
}

/** Compares the session with the tree before the call and puts spared files back, added ones away. */
export const sparePaths = async ({ session, before, ...call }: Spare, ports: SparePorts): Promise<void> => {
  if (call.spare.length === 0 && call.only.length === 0 && call.touched === null) return;
  const old = spared(await ports.workspaces.list(before), call);
  const now = spared(await ports.sandbox.list(session), call);
  const changed = [...old.values()].filter(({ path, sha256 }) => now.get(path)?.sha256 !== sha256);
  for (const { path } of changed) {
    const bytes = await ports.workspaces.read(before, path);
    if (bytes !== null) await ports.sandbox.write(session, path, bytes);
  }
  for (const path of now.keys()) if (!old.has(path)) await ports.sandbox.remove(session, path);
};

type SparePorts = Pick<StepPorts<'work'>, 'sandbox' | 'workspaces'>;

const spared = (entries: readonly TreeEntry[], call: Omit<Spare, 'session' | 'before'>): Map<string, TreeEntry> => {
  const outside = (path: string): boolean =>
    (call.only.length > 0 && firstMatch(call.only, path) === null) || call.touched?.has(path) === false;
  const kept = entries.filter(({ path }) => firstMatch(call.spare, path) !== null || outside(path));
  return new Map(kept.map((entry) => [entry.path, entry]));
};
