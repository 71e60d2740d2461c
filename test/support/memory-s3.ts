// A bucket in memory behind the SDK's own client: conditional creates, versions, checksums, listings in small pages, and faults on demand.
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { S3Client } from '@aws-sdk/client-s3';
import type { Bucket } from '#shared/adapters/aws/s3-objects.ts';

interface Kept {
  body: Buffer;
  headers: Record<string, string>;
  modified: Date;
}

interface Asked {
  method: string;
  path: string;
  query: Record<string, string>;
  headers: Record<string, string>;
  body?: Uint8Array | string;
}

interface Reply {
  statusCode: number;
  headers?: Record<string, string>;
  body?: string | Buffer;
}

/** `page`: keys of one page of a listing. `now`: what new objects are dated. */
export interface MemoryS3 extends Bucket {
  /** Versions by key, newest last; undefined is a delete marker. */
  kept: Map<string, (Kept | undefined)[]>;
  /** Requests so far, as `PUT key`. */
  asked: string[];
  /** Answers before the bucket does; undefined lets it answer. */
  before: (asked: string) => Reply | undefined;
  now: () => Date;
}

const BUCKET = 'memory';

/** A fresh bucket. `page` is small, so that whoever forgets the second page is found out. */
export const memoryS3 = ({ page = 3 }: { page?: number } = {}): MemoryS3 => {
  const s3: Omit<MemoryS3, 'client'> = {
    bucket: BUCKET,
    kept: new Map(),
    asked: [],
    before: () => undefined,
    now: () => new Date(),
  };
  const client = new S3Client({
    region: 'us-east-1',
    endpoint: 'http://memory',
    forcePathStyle: true,
    maxAttempts: 1,
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
    requestHandler: {
      handle: async (request: unknown) => {
        await new Promise((resolve) => setImmediate(resolve));
        return { response: responseOf(answer(house, request as Asked, page)) };
      },
    } as never,
  });
  const house = Object.assign(s3, { client });
  return house;
};

const responseOf = ({ statusCode, headers = {}, body = '' }: Reply) => ({
  statusCode,
  headers,
  body: Readable.from(body.length === 0 ? [] : [Buffer.from(body as string)]),
});

const keyOf = ({ path }: Asked): string => decodeURIComponent(path.slice(`/${BUCKET}/`.length));

const answer = (s3: MemoryS3, asked: Asked, page: number): Reply => {
  const key = keyOf(asked);
  const what = `${asked.method} ${'list-type' in asked.query ? `?${asked.query.prefix}` : key}`;
  s3.asked.push(what);
  const first = s3.before(what);
  if (first !== undefined) return first;
  if ('list-type' in asked.query) return list(s3, asked.query, page);
  if ('delete' in asked.query) return remove(s3, String(asked.body));
  if (asked.method === 'PUT') return put(s3, key, asked);
  return read(s3, key, asked.method);
};

const newest = (s3: MemoryS3, key: string): Kept | undefined => s3.kept.get(key)?.at(-1);

const put = (s3: MemoryS3, key: string, { headers, body }: Asked): Reply => {
  if (headers['if-none-match'] === '*' && newest(s3, key) !== undefined) return error(412, 'PreconditionFailed');
  const bytes = Buffer.from(body ?? '');
  const claimed = headers['x-amz-checksum-sha256'];
  if (claimed !== undefined && createHash('sha256').update(bytes).digest('base64') !== claimed)
    return error(400, 'BadDigest');
  const stored = Object.entries(headers).filter(([name]) => /^(x-amz-meta-|content-type$)/.test(name));
  const versions = s3.kept.get(key) ?? [];
  s3.kept.set(key, [...versions, { body: bytes, headers: Object.fromEntries(stored), modified: s3.now() }]);
  return { statusCode: 200 };
};

const read = (s3: MemoryS3, key: string, method: string): Reply => {
  const found = newest(s3, key);
  if (found === undefined) return method === 'HEAD' ? { statusCode: 404 } : error(404, 'NoSuchKey');
  const length = { 'content-length': String(found.body.length), 'last-modified': found.modified.toUTCString() };
  return { statusCode: 200, headers: { ...found.headers, ...length }, body: method === 'HEAD' ? '' : found.body };
};

const list = (s3: MemoryS3, query: Record<string, string>, page: number): Reply => {
  const from = query['continuation-token'] ?? '';
  const keys = [...s3.kept.keys()].filter((key) => key.startsWith(query.prefix ?? '') && key > from).sort();
  const there = keys.filter((key) => newest(s3, key) !== undefined);
  const shown = there.slice(0, page);
  const more = there.length > page ? `<NextContinuationToken>${shown.at(-1)}</NextContinuationToken>` : '';
  const rows = shown.map((key) => {
    const { body, modified } = newest(s3, key)!;
    return `<Contents><Key>${key}</Key><Size>${body.length}</Size><LastModified>${modified.toISOString()}</LastModified></Contents>`;
  });
  return { statusCode: 200, body: `<ListBucketResult>${rows.join('')}${more}</ListBucketResult>` };
};

const remove = (s3: MemoryS3, body: string): Reply => {
  const keys = [...body.matchAll(/<Key>([^<]*)<\/Key>/g)].map(([, key]) => key ?? '');
  for (const key of keys) s3.kept.set(key, [...(s3.kept.get(key) ?? []), undefined]);
  return { statusCode: 200, body: '<DeleteResult></DeleteResult>' };
};

/** An error as the bucket writes it. */
export const error = (statusCode: number, code: string): Reply => ({
  statusCode,
  headers: { 'content-type': 'application/xml' },
  body: `<?xml version="1.0"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`,
});
