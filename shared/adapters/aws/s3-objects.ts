// The bucket as bytes under keys: created once or replaced, read whole with their metadata, listed to the last page. Beneath artifacts, the
// content of snapshots and the snapshots of indexes.
import {
  DeleteObjectsCommand,
  GetObjectCommand,
  type GetObjectCommandOutput,
  HeadObjectCommand,
  type HeadObjectCommandOutput,
  ListObjectsV2Command,
  type ListObjectsV2CommandOutput,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import { HcaFault } from '#shared/contracts/errors.ts';
import { awsCall, isNamed } from './aws-call.ts';

/** Client and name of the bucket. */
export interface Bucket {
  client: S3Client;
  bucket: string;
}

/** What is stored beside the bytes: keys in lower case, values in ASCII, 2 KB in all. */
export type Metadata = Record<string, string>;

/** An object without its bytes. `modified`: when it was last written, in ms of the epoch, whole seconds. */
export interface StoredObject {
  bytes: number;
  modified: number;
  metadata: Metadata;
}

/** Something to store. `sha256` in hexadecimal: the bucket refuses bytes that have another. `once`: only if the key is free. */
export interface NewObject {
  body: Uint8Array;
  sha256: string;
  type: string;
  metadata?: Metadata;
  once?: boolean;
}

export interface Objects {
  /** `there`: `once` was asked and the key is taken. @throws HcaFault HcaConflict when another writes it at this moment */
  put(key: string, object: NewObject): Promise<'stored' | 'there'>;
  /** Undefined when there is none. @throws HcaFault HcaCorrupt when what arrives is not what was stored */
  get(key: string): Promise<(StoredObject & { body: Uint8Array }) | undefined>;
  head(key: string): Promise<StoredObject | undefined>;
  /** Every key below a prefix, in the order of their bytes. */
  list(prefix: string): Promise<string[]>;
  /** Deletes; what is not there is deleted already. */
  remove(keys: readonly string[]): Promise<void>;
}

/** Objects of one bucket. */
export const s3Objects = ({ client, bucket }: Bucket): Objects => ({
  put: (key, object) => inBucket(bucket, () => putOne({ client, bucket }, key, object)),
  get: (key) =>
    orNothing(bucket, async () => {
      const found = await client.send(new GetObjectCommand({ Bucket: bucket, Key: key }));
      const body = await bytesOf(key, found);
      return { ...storedOf(found), bytes: body.byteLength, body };
    }),
  head: (key) =>
    orNothing(bucket, async () => storedOf(await client.send(new HeadObjectCommand({ Bucket: bucket, Key: key })))),
  list: (prefix) => inBucket(bucket, () => listAll({ client, bucket }, prefix)),
  remove: (keys) => inBucket(bucket, () => removeAll({ client, bucket }, keys)),
});

const storedOf = ({ ContentLength, LastModified, Metadata }: HeadObjectCommandOutput): StoredObject => ({
  bytes: ContentLength ?? 0,
  modified: LastModified?.getTime() ?? 0,
  metadata: Metadata ?? {},
});

const inBucket = <T>(bucket: string, call: () => Promise<T>): Promise<T> => awsCall(`bucket ${bucket}`, call);

async function orNothing<T>(bucket: string, call: () => Promise<T>): Promise<T | undefined> {
  try {
    return await inBucket(bucket, call);
  } catch (caught) {
    if (isNamed(caught, 'NoSuchKey', 'NotFound')) return undefined;
    throw caught;
  }
}

async function putOne({ client, bucket }: Bucket, key: string, object: NewObject): Promise<'stored' | 'there'> {
  try {
    await client.send(putCommand(bucket, key, object));
    return 'stored';
  } catch (caught) {
    if (isNamed(caught, 'PreconditionFailed')) return 'there';
    throw caught;
  }
}

const putCommand = (bucket: string, key: string, { body, sha256, type, metadata = {}, once = false }: NewObject) =>
  new PutObjectCommand({
    Bucket: bucket,
    Key: key,
    Body: body,
    ContentType: type,
    ChecksumSHA256: Buffer.from(sha256, 'hex').toString('base64'),
    Metadata: metadata,
    ...(once ? { IfNoneMatch: '*' } : {}),
  });

/** The client compares what arrives with the checksum that the bucket keeps. */
async function bytesOf(key: string, { Body }: GetObjectCommandOutput): Promise<Uint8Array> {
  try {
    return (await Body?.transformToByteArray()) ?? new Uint8Array();
  } catch (caught) {
    if (!(caught instanceof Error) || !/checksum/i.test(caught.message)) throw caught;
    throw new HcaFault('HcaCorrupt', { message: `${key} is not what was stored: ${caught.message}`, cause: caught });
  }
}

async function listAll({ client, bucket }: Bucket, prefix: string): Promise<string[]> {
  const listed: string[] = [];
  let token: string | undefined;
  do {
    const page: ListObjectsV2CommandOutput = await client.send(
      new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix, ContinuationToken: token }),
    );
    listed.push(...(page.Contents ?? []).map(({ Key = '' }) => Key));
    token = page.NextContinuationToken;
  } while (token !== undefined);
  return listed;
}

/** Most keys of one DeleteObjects, whose answer of 200 names those that it could not delete. */
const AT_A_TIME = 1000;

async function removeAll({ client, bucket }: Bucket, keys: readonly string[]): Promise<void> {
  for (let from = 0; from < keys.length; from += AT_A_TIME) {
    const some = keys.slice(from, from + AT_A_TIME).map((Key) => ({ Key }));
    const command = new DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects: some, Quiet: true } });
    const { Errors: failed = [] } = await client.send(command);
    const [first] = failed;
    if (first === undefined) continue;
    const message = `${failed.length} objects of bucket ${bucket} stay, ${first.Key} the first: ${first.Code} ${first.Message}`;
    throw new HcaFault('HcaUnavailable', { message, remedy: 'try again' });
  }
}
