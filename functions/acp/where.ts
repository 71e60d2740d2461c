// What a task works on, from what was given: a snapshot of a folder of this host, one that was handed over, or a git server's content.
import type { GivenWorkspace } from '#shared/contracts/acp-workspace.ts';
import { HcaFault } from '#shared/contracts/errors.ts';
import type { Workspace } from '#shared/contracts/offer.ts';
import { cloneInto } from './clone.ts';
import type { Call } from './ports.ts';
import { checkFolder } from './terms.ts';

/** `skipped`: paths of a folder of this host that the snapshot leaves out. */
export interface Source {
  workspace: Workspace;
  skipped: number;
}

type Asking = Pick<Call<'_hca/task/submit'>, 'principal' | 'door'>;

/** @throws HcaFault HcaBadInput naming `workspace`, HcaDenied, HcaNotFound for a snapshot that nobody handed over */
export const sourceOf = async (given: GivenWorkspace, asking: Asking): Promise<Source> => {
  if (typeof given === 'string') return folderOf(given, asking);
  if ('path' in given) return folderOf(given.path, asking);
  if ('git' in given) return { workspace: await cloneInto(given.git, asking), skipped: 0 };
  await known(given.tree, asking);
  return { workspace: { root: given.root, tree: given.tree, elsewhere: true }, skipped: 0 };
};

/** A task that goes on from another: the folder as it is now, or, of another machine, the content that was handed over then. */
export const sourceAgain = async (workspace: Workspace, asking: Asking): Promise<Source> =>
  workspace.elsewhere === true ? { workspace, skipped: 0 } : folderOf(workspace.root, asking);

const folderOf = async (path: string, { door }: Asking): Promise<Source> => {
  checkFolder(path, door);
  const { root, tree, skipped_count } = await door.ports.workspaces.take(path);
  checkFolder(root, door);
  return { workspace: { root, tree }, skipped: skipped_count };
};

const known = async (tree: string, { door }: Asking): Promise<void> => {
  try {
    await door.ports.workspaces.list(tree);
  } catch (cause) {
    if (!(cause instanceof HcaFault) || cause.code !== 'HcaNotFound') throw cause;
    throw new HcaFault('HcaNotFound', {
      message: `there is no snapshot ${tree}`,
      field: 'workspace.tree',
      remedy: 'hand its content over first: _hca/workspace/missing, put and tree',
      cause,
    });
  }
};
