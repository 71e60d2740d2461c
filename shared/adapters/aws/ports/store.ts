// The content of snapshots for a door: the same as for a step, and addresses to which contents may be sent directly.
import { S3Client } from '@aws-sdk/client-s3';
import { VARIABLES } from '#shared/contracts/storage.ts';
import type { WorkspaceStore, Workspaces } from '#shared/ports/workspaces.ts';
import { s3Objects } from '../s3-objects.ts';
import { uploadUrls } from '../s3-upload-urls.ts';
import { s3Workspaces } from '../s3-workspaces.ts';
import { clock } from './clock.ts';
import { connecting } from './connecting.ts';
import { type Build, variable } from './environment.ts';
import { tenantNow } from './tenant.ts';

export const store: Build<Workspaces & WorkspaceStore> = (variables) => {
  const bucket = { client: new S3Client(connecting(variables)), bucket: variable(variables, VARIABLES.bucket) };
  const upload = uploadUrls(bucket);
  return s3Workspaces({ objects: s3Objects(bucket), clock: clock(variables), tenant: tenantNow, upload });
};
