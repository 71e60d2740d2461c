// The bucket of bytes, for the ports that keep something in it.
import { S3Client } from '@aws-sdk/client-s3';
import { VARIABLES } from '#shared/contracts/storage.ts';
import { type Objects, s3Objects } from '../s3-objects.ts';
import { connecting } from './connecting.ts';
import { type Variables, variable } from './environment.ts';

/** @throws HcaFault HcaBadInput naming the variable of the bucket */
export const bytesOf = (variables: Variables): Objects =>
  s3Objects({ client: new S3Client(connecting(variables)), bucket: variable(variables, VARIABLES.bucket) });
