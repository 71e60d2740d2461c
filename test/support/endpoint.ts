// An emulator's endpoint, when HCA_TEST_ENDPOINT names one: the suites of the cloud's adapters then run against it too.
import { randomUUID } from 'node:crypto';
import { CreateBucketCommand, PutBucketVersioningCommand, S3Client } from '@aws-sdk/client-s3';
import type { Bucket } from '#shared/adapters/aws/s3-objects.ts';
import { FAILING_ADAPTERS, fails } from '#test/emulator/expected-failures.ts';

/** For clients of any service. */
export interface Endpoint {
  endpoint: string;
  region: string;
  credentials: { accessKeyId: string; secretAccessKey: string };
}

const { HCA_TEST_ENDPOINT: endpoint = '' } = process.env;

/** The endpoint, or none: `for (const emulator of endpoints)` runs a suite against it when there is one. */
export const endpoints: readonly Endpoint[] =
  endpoint === ''
    ? []
    : [{ endpoint, region: 'us-east-1', credentials: { accessKeyId: 'test', secretAccessKey: 'test' } }];

/** A name that nobody else uses. */
export const freshName = (): string => `hca-test-${randomUUID()}`;

/** A fresh bucket with versions. */
export const freshBucket = async (config: Endpoint): Promise<Bucket> => {
  const client = new S3Client({ ...config, forcePathStyle: true });
  const bucket = freshName();
  await client.send(new CreateBucketCommand({ Bucket: bucket }));
  await client.send(new PutBucketVersioningCommand({ Bucket: bucket, VersioningConfiguration: { Status: 'Enabled' } }));
  return { client, bucket };
};

/** Whether a test is known to fail on the emulator that the tier starts; it is red there when it passes. */
export const failsHere = (title: string): boolean => fails(FAILING_ADAPTERS, title);
