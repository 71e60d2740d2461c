// Signed addresses to which contents may be sent directly.
import { uploadUrls } from '../s3-upload-urls.ts';
import { bucketOf } from './bucket.ts';
import type { Variables } from './environment.ts';

export const uploadsOf = (variables: Variables) => uploadUrls(bucketOf(variables));
