// A bucket goes only when it is empty: every version of every object, a page at a time.
import { DeleteObjectsCommand, paginateListObjectVersions, S3Client } from '@aws-sdk/client-s3';

/** Deletes everything in a bucket, old versions and delete markers included. @throws Error when anything stays */
export const emptyBucket = async (bucket: string): Promise<void> => {
  const client = new S3Client({});
  for await (const { Versions = [], DeleteMarkers = [] } of paginateListObjectVersions(
    { client },
    { Bucket: bucket },
  )) {
    const gone = [...Versions, ...DeleteMarkers].map(({ Key, VersionId }) => ({ Key, VersionId }));
    if (gone.length === 0) continue;
    const { Errors = [] } = await client.send(
      new DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects: gone, Quiet: true } }),
    );
    const [left] = Errors;
    if (left !== undefined) throw new Error(`${left.Key} of ${bucket} could not be deleted: ${left.Message}`);
  }
};
