// Snapshots of a folder of this machine for a host elsewhere, and changes written back to it: with the same rules and the same safety as an embedded
// host has, and without one (architecture 9).
import path from 'node:path';
import { FilesWorkspaces } from '#shared/adapters/local/files-workspaces.ts';
import type { ChangeSet, Snapshot, TreeEntry } from '#shared/contracts/workspace.ts';
import type { ApplyMode, ApplyOutcome } from '#shared/ports/workspaces.ts';
import { prepareHome } from './home.ts';

/** A folder as it was at one moment; its content stays readable whatever happens to the folder. */
export interface SnapshotHere {
  snapshot: Snapshot;
  entries: TreeEntry[];
  read(sha256: string): Uint8Array;
}

/** @throws HcaFault HcaBadInput naming `workspace` */
export const snapshotHere = async (home: string, folder: string): Promise<SnapshotHere> => {
  const workspaces = workspacesOf(home);
  const snapshot = await workspaces.take(folder);
  const entries = await workspaces.list(snapshot.tree);
  return { snapshot, entries, read: (sha256) => workspaces.trees.blobs.read(sha256) };
};

/** All or nothing, as on an embedded host. */
export const applyHere = (
  home: string,
  folder: string,
  { changes, mode }: { changes: ChangeSet; mode: ApplyMode },
): Promise<ApplyOutcome> => workspacesOf(home).apply(folder, changes, mode);

const workspacesOf = (home: string): FilesWorkspaces => {
  prepareHome(home);
  return new FilesWorkspaces(path.join(home, 'workspaces'));
};
