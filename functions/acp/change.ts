// What a task changed, and writing it to the person's folder, which only this request does (architecture 9, Sandbox).
import type { FileRow } from '#shared/contracts/acp-task.ts';
import type { ArtifactRef } from '#shared/contracts/artifact.ts';
import { HcaFault } from '#shared/contracts/errors.ts';
import type { TaskRecord } from '#shared/contracts/task.ts';
import { ChangeSet, type FileChange } from '#shared/contracts/workspace.ts';
import { diffLines, toPatch } from '#shared/domain/patch.ts';
import type { ArtifactsRead } from '#shared/ports/artifacts.ts';
import { findRoot } from './find.ts';
import type { Handler } from './ports.ts';
import { lastArtifact } from './retry.ts';

export const diffTask: Handler<'_hca/task/diff'> = async ({ params, principal, door }) => {
  const { tasks, artifacts } = door.ports;
  const task = await findRoot({ principal, tasks }, params.task);
  const artifact = lastArtifact(task);
  const workspace = task.spec.workspace?.root ?? '';
  const elsewhere = task.spec.workspace?.elsewhere === true;
  if (artifact === null) return { task: task.id, artifact, workspace, elsewhere, patch: '', files: [] };
  const changes = await changesOf(artifacts, task, artifact);
  return {
    task: task.id,
    artifact,
    workspace,
    elsewhere,
    patch: toPatch(changes),
    files: changes.files.map((file) => fileRow(file, changes)),
  };
};

/** @throws HcaFault HcaRefused when there is no change, or it was not accepted and `unaccepted` was not said. */
export const applyTask: Handler<'_hca/task/apply'> = async ({ params, principal, door }) => {
  const { tasks, artifacts, workspaces } = door.ports;
  const task = await findRoot({ principal, tasks }, params.task);
  const artifact = lastArtifact(task);
  if (artifact === null || task.spec.workspace === null) throw noChange(task);
  if (task.state !== 'completed' && !params.unaccepted) throw notAccepted(task);
  if (task.spec.workspace.elsewhere === true) throw notHere(task.spec.workspace.root);
  const changes = await changesOf(artifacts, task, artifact);
  const outcome = await workspaces.apply(task.spec.workspace.root, changes, params.mode);
  const conflicts = 'conflicts' in outcome ? outcome.conflicts.map(({ path, reason }) => ({ path, reason })) : [];
  const files = 'applied' in outcome ? outcome.applied : [];
  return { task: task.id, workspace: task.spec.workspace.root, mode: params.mode, files, conflicts };
};

const changesOf = async (artifacts: ArtifactsRead, task: TaskRecord, ref: ArtifactRef): Promise<ChangeSet> => {
  const bytes = await artifacts.bytes(task.tenant, ref.id, ref.version);
  return ChangeSet.parse(JSON.parse(new TextDecoder().decode(bytes)));
};

const fileRow = (file: FileChange, changes: ChangeSet): FileRow => {
  const lines = diffLines({ base: changes.base, files: [file] });
  return {
    path: file.path,
    change: kindOf(file),
    added: lines.added,
    removed: lines.removed,
    binary: lines.binary > 0,
  };
};

const kindOf = (file: FileChange): FileRow['change'] => {
  if (file.before === null) return 'added';
  return file.after === null ? 'deleted' : 'modified';
};

const noChange = (task: TaskRecord): HcaFault =>
  new HcaFault('HcaRefused', {
    message: `the task ${task.id} has made no change`,
    field: 'task',
    remedy: 'hca status shows how far it came',
  });

const notHere = (root: string): HcaFault =>
  new HcaFault('HcaRefused', {
    message: `${root} is not a folder of this host`,
    field: 'workspace',
    remedy: 'write the change where the folder is, with hca apply --endpoint …, or take its patch with hca diff',
  });

const notAccepted = (task: TaskRecord): HcaFault =>
  new HcaFault('HcaRefused', {
    message: `the change of ${task.id} was not accepted by a review: the task is ${task.state}`,
    field: 'task',
    remedy: 'look at it with hca diff, then use --unaccepted if you want it all the same',
  });
