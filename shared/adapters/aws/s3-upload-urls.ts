// Signed addresses for sending content straight into the bucket: one key, one hash, one size each, for some minutes. Apart from the objects
// themselves because only a door needs it, and it is a large part of a bundle.
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import type { Upload } from '#shared/ports/workspaces.ts';
import { awsCall } from './aws-call.ts';
import type { Bucket } from './s3-objects.ts';

/** Long enough for the largest file over a slow line, in s. */
const VALID_S = 900;

/** Signs a PUT that the bucket takes only with the bytes of this SHA-256 and this size. */
export const uploadUrls =
  ({ client, bucket }: Bucket) =>
  async (key: string, { sha256, bytes }: { sha256: string; bytes: number }): Promise<Upload> => {
    const checksum = Buffer.from(sha256, 'hex').toString('base64');
    const command = new PutObjectCommand({ Bucket: bucket, Key: key, ChecksumSHA256: checksum, ContentLength: bytes });
    const url = await awsCall(`bucket ${bucket}`, () =>
      getSignedUrl(client, command, {
        expiresIn: VALID_S,
        signableHeaders: new Set(['host', 'content-length', CHECKSUM]),
        unhoistableHeaders: new Set([CHECKSUM]),
      }),
    );
    return { sha256, url, headers: { [CHECKSUM]: checksum } };
  };

const CHECKSUM = 'x-amz-checksum-sha256';
