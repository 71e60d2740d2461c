// Snapshots in the bucket, each tenant's apart.
import type { WorkspaceStore, Workspaces } from '#shared/ports/workspaces.ts';
import { s3Workspaces } from '../s3-workspaces.ts';
import { bytesOf } from './bytes.ts';
import { clock } from './clock.ts';
import type { Build } from './environment.ts';
import { tenantNow } from './tenant.ts';

export const workspaces: Build<Workspaces & WorkspaceStore> = (variables) =>
  s3Workspaces({ objects: bytesOf(variables), clock: clock(variables), tenant: tenantNow });
