// Artifacts by id (L1-ART-02), with their metadata (L1-ART-03), in pieces that fit a frame.
import { HcaFault } from '#shared/contracts/errors.ts';
import { rootOf } from '#shared/contracts/ids.ts';
import { findRoot, isMine } from './find.ts';
import type { Handler } from './ports.ts';

export const listArtifacts: Handler<'_hca/artifact/list'> = async ({ params, principal, door }) => {
  const { tasks, artifacts } = door.ports;
  const task = await findRoot({ principal, tasks }, params.task);
  return { artifacts: await artifacts.list(principal.tenant, task.root) };
};

export const getArtifact: Handler<'_hca/artifact/get'> = async ({ params, principal, door }) => {
  const { artifacts, tasks } = door.ports;
  const meta = await artifacts.find(principal.tenant, params.id, params.version);
  if (meta === undefined || !(await isMine({ principal, tasks }, rootOf(meta.task_id)))) {
    throw new HcaFault('HcaNotFound', {
      message: `there is no artifact "${params.id}"${params.version === undefined ? '' : ` in version ${params.version}`}`,
      field: 'id',
      remedy: 'hca artifacts <task> lists them',
    });
  }
  const bytes = await artifacts.bytes(principal.tenant, meta.id, meta.version);
  const end = params.offset + params.length;
  return { meta, base64: toBase64(bytes.subarray(params.offset, end)), next: end < bytes.length ? end : null };
};

/** In slices, because one call with a million arguments overflows the stack. */
const toBase64 = (bytes: Uint8Array): string => {
  let binary = '';
  for (let at = 0; at < bytes.length; at += 8192) binary += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(binary);
};
