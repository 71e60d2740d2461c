// The client of the bucket.
import { S3Client } from '@aws-sdk/client-s3';
import { VARIABLES } from '#shared/contracts/storage.ts';
import { type Bucket, type Objects, s3Objects } from '../s3-objects.ts';
import { connecting } from './connecting.ts';
import { type Variables, variable } from './environment.ts';

/** @throws HcaFault HcaBadInput naming the variable of the bucket */
export const bucketOf = (variables: Variables): Bucket & { objects: Objects } => {
  const bucket = { client: new S3Client(connecting(variables)), bucket: variable(variables, VARIABLES.bucket) };
  return { ...bucket, objects: s3Objects(bucket) };
};
