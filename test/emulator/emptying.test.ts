// `npm run destroy` empties a bucket before its stack goes: every version and every delete marker, or S3 keeps the bucket and goes on charging for it.
import {
  CreateBucketCommand,
  DeleteBucketCommand,
  DeleteObjectCommand,
  PutBucketVersioningCommand,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { expect, it } from 'vitest';
import { emptyBucket } from '#scripts/cloud/emptying.ts';

import { ENDPOINT, of } from './endpoint.ts';

it('a bucket with versions and delete markers is empty then, and can be deleted; one that is not there is empty', async () => {
  const client = new S3Client({ ...of(ENDPOINT), forcePathStyle: true });
  const Bucket = `hca-emptying-${crypto.randomUUID()}`;
  await client.send(new CreateBucketCommand({ Bucket }));
  const VersioningConfiguration = { Status: 'Enabled' } as const;
  await client.send(new PutBucketVersioningCommand({ Bucket, VersioningConfiguration }));
  for (const Key of ['kept', 'gone', 'kept', 'gone'])
    await client.send(new PutObjectCommand({ Bucket, Key, Body: crypto.randomUUID() }));
  await client.send(new DeleteObjectCommand({ Bucket, Key: 'gone' }));
  const remove = () => client.send(new DeleteBucketCommand({ Bucket }));
  await expect(remove()).rejects.toThrow(/not empty/);
  await emptyBucket(Bucket);
  await remove();
  await emptyBucket(Bucket);
});
