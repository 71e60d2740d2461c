// The record of a session that is about to be made: what it starts from and what its commands will see.
import { isAbsolute } from 'node:path';
import { HcaFault } from '#shared/contracts/errors.ts';
import type { SessionRequest } from '#shared/ports/sandbox.ts';
import { hoistedAbove, viewDependencies } from './dependency-view.ts';
import type { SessionRecord } from './session-record.ts';
import type { TreeStore } from './tree-store.ts';

/** `bubblewrap` is its absolute path, or null for plain process groups. @throws HcaFault HcaBadInput, HcaNotFound */
export function describeSession(
  request: SessionRequest & { memory_bytes: number },
  bubblewrap: string | null,
  trees: TreeStore,
): SessionRecord {
  const { id, tree, workspace, changes, network, memory_bytes } = request;
  if (!isAbsolute(workspace) || workspace === '/') {
    const message = `the workspace of a session is an absolute path below "/", not "${workspace}"`;
    throw new HcaFault('HcaBadInput', { message, field: 'workspace' });
  }
  return {
    id,
    base: tree,
    opened: changes === undefined ? tree : trees.withChanges(tree, changes),
    workspace,
    network,
    memory_bytes,
    bubblewrap,
    view: viewDependencies(workspace, trees.entries(tree)),
    hoisted: hoistedAbove(workspace),
  };
}
