// Artifacts to test in a table of this process and a bucket in memory.
import { randomBytes } from 'node:crypto';
import { onTestFinished } from 'vitest';
import { dynamoArtifacts } from '#shared/adapters/aws/dynamo-artifacts.ts';
import { s3Objects } from '#shared/adapters/aws/s3-objects.ts';
import { systemClock } from '#shared/adapters/local/system-clock.ts';
import type { NewArtifact } from '#shared/ports/artifacts.ts';
import { memoryS3 } from '#test/support/memory-s3.ts';
import { rootId, TENANT } from '../suites/samples.ts';
import { openRig } from './rig.ts';

export const ROOT = rootId(1);
export const ID = `${ROOT}/1/report`;
export const KEY = `${TENANT}/${ROOT}/1/report`;
/** More than an item takes, however it is packed. */
export const LARGE = randomBytes(5000);
/** Something to store, with some of it otherwise. */
export const report = (parts: Partial<NewArtifact> = {}): NewArtifact => ({
  task: ROOT,
  holon: 'code',
  iteration: 1,
  name: 'report',
  kind: 'report',
  media_type: 'text/plain',
  from: ['snapshot'],
  body: 'one',
  ...parts,
});

/** Fresh stores; `most` bytes of an artifact. */
export const opened = async (most?: number) => {
  const rig = await openRig(['artifacts']);
  onTestFinished(() => rig.close());
  const table = rig.table('artifacts');
  const s3 = memoryS3();
  const artifacts = dynamoArtifacts({
    table,
    objects: s3Objects(s3),
    clock: systemClock(),
    ...(most === undefined ? {} : { most }),
  });
  return { rig, table, s3, artifacts };
};
