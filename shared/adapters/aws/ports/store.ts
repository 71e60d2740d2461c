// The content of snapshots for a door: the same as for a step, and addresses to which contents may be sent directly.
import type { WorkspaceStore, Workspaces } from '#shared/ports/workspaces.ts';
import { s3Workspaces, type WorkspaceBucket } from '../s3-workspaces.ts';
import { bytesOf } from './bytes.ts';
import { clock } from './clock.ts';
import type { Build } from './environment.ts';
import { tenantNow } from './tenant.ts';

export const store: Build<Workspaces & WorkspaceStore> = (variables) => {
  let loaded: Promise<NonNullable<WorkspaceBucket['upload']>> | undefined;
  const upload: WorkspaceBucket['upload'] = async (key, content) => {
    loaded ??= import('./uploads.ts').then(({ uploadsOf }) => uploadsOf(variables));
    return (await loaded)(key, content);
  };
  return s3Workspaces({ objects: bytesOf(variables), clock: clock(variables), tenant: tenantNow, upload });
};
