// A bucket goes with its stack only when nothing is in it: every version and every delete marker is taken out first, a page at a time.
import {
  DeleteObjectsCommand,
  ListObjectVersionsCommand,
  type ListObjectVersionsCommandOutput,
  type ObjectIdentifier,
  S3Client,
} from '@aws-sdk/client-s3';

/** Empties a bucket; one that is not there is empty. @throws Error naming what could not be deleted */
export const emptyBucket = async (bucket: string): Promise<void> => {
  const client = new S3Client({});
  try {
    for await (const page of pagesOf(client, bucket)) await remove(client, bucket, page);
  } catch (error) {
    if (!(error instanceof Error && error.name === 'NoSuchBucket')) throw error;
  }
};

/** What is left at the beginning of the list, until nothing is. */
async function* pagesOf(client: S3Client, Bucket: string): AsyncGenerator<ObjectIdentifier[]> {
  for (;;) {
    const page: ListObjectVersionsCommandOutput = await client.send(new ListObjectVersionsCommand({ Bucket }));
    const found = [...(page.Versions ?? []), ...(page.DeleteMarkers ?? [])];
    if (found.length === 0) return;
    yield found.map(({ Key, VersionId }) => ({ Key, VersionId }));
  }
}

async function remove(client: S3Client, Bucket: string, Objects: ObjectIdentifier[]): Promise<void> {
  const command = new DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } });
  const { Errors: [failed] = [] } = await client.send(command);
  if (failed !== undefined) throw new Error(`${failed.Key} in ${Bucket} could not be deleted: ${failed.Message}`);
}
