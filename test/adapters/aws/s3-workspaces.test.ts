// Workspaces in a bucket: the suite of the store, tenants apart, direct uploads, what is a folder of another machine, and how long content lives.
import { describe, expect, test } from 'vitest';
import { s3Objects } from '#shared/adapters/aws/s3-objects.ts';
import { uploadUrls } from '#shared/adapters/aws/s3-upload-urls.ts';
import { s3Workspaces } from '#shared/adapters/aws/s3-workspaces.ts';
import { CONTENT_DAYS } from '#shared/contracts/bucket.ts';
import { endpoints, freshBucket } from '#test/support/endpoint.ts';
import { type MemoryS3, memoryS3 } from '#test/support/memory-s3.ts';
import { fileEntry, hashOf, workspaceStoreSuite } from '../suites/workspace-store.ts';

const DAY_MS = 86_400_000;
const alpha = fileEntry('a.txt', 'alpha');

/** Workspaces of a tenant, seen by a fresh process. */
const opened = (s3: MemoryS3 = memoryS3(), tenant = 'local') => {
  const clock = { now: () => s3.now().getTime(), ulid: () => '' };
  return { s3, workspaces: s3Workspaces({ objects: s3Objects(s3), clock, tenant: () => tenant }) };
};

workspaceStoreSuite('bucket in memory', async () => ({ ...opened(), close: async () => undefined }));

for (const emulator of endpoints) {
  const open = async () => {
    const bucket = await freshBucket(emulator);
    const clock = { now: Date.now, ulid: () => '' };
    const about = { objects: s3Objects(bucket), clock, tenant: () => 'local', upload: uploadUrls(bucket) };
    return { workspaces: s3Workspaces(about), close: async () => bucket.client.destroy() };
  };
  workspaceStoreSuite('bucket of the emulator', open);

  test('on the emulator, content goes straight into the bucket, and only that content', async () => {
    const { workspaces } = await open();
    const [upload] = await workspaces.uploads([alpha]);
    const put = (body: string) => fetch(upload!.url, { method: 'PUT', headers: upload!.headers, body });
    expect((await put('omega')).status).toBe(400);
    expect(await workspaces.missing([alpha.sha256])).toEqual([alpha.sha256]);
    expect((await put('alpha')).status).toBe(200);
    const tree = await workspaces.putTree([alpha]);
    expect(Buffer.from((await workspaces.read(tree, 'a.txt')) ?? []).toString()).toBe('alpha');
  });
}

describe('workspaces in a bucket', () => {
  test('knowing a hash opens nothing of another tenant', async () => {
    const { s3, workspaces } = opened();
    await workspaces.putBlob(Buffer.from('alpha'));
    const tree = await workspaces.putTree([alpha]);
    const theirs = opened(s3, 'another').workspaces;
    expect(await theirs.missing([alpha.sha256])).toEqual([alpha.sha256]);
    await expect(theirs.putTree([alpha])).rejects.toMatchObject({ code: 'HcaBadInput' });
    await expect(theirs.list(tree)).rejects.toMatchObject({ code: 'HcaNotFound' });
    for (const key of s3.kept.keys()) expect(key).toMatch(/^_workspaces\/local\//);
  });

  test('a tree whose content was just looked for is stored with one request; a known tree is read with none', async () => {
    const { s3, workspaces } = opened();
    await workspaces.putBlob(Buffer.from('alpha'));
    await workspaces.missing([alpha.sha256]);
    s3.asked.length = 0;
    const tree = await workspaces.putTree([alpha]);
    await workspaces.list(tree);
    expect(s3.asked).toEqual([`PUT _workspaces/local/trees/${tree}.json`]);
  });

  test('a direct upload is signed for one key, one content and one size', async () => {
    const s3 = memoryS3();
    const clock = { now: Date.now, ulid: () => '' };
    const about = { objects: s3Objects(s3), clock, tenant: () => 'local', upload: uploadUrls(s3) };
    const [upload] = await s3Workspaces(about).uploads([alpha]);
    const url = new URL(upload!.url);
    expect(url.pathname).toBe(`/memory/_workspaces/local/blobs/${alpha.sha256}`);
    expect(url.searchParams.get('X-Amz-SignedHeaders')).toBe('content-length;host;x-amz-checksum-sha256');
    const checksum = Buffer.from(alpha.sha256, 'hex').toString('base64');
    expect(upload).toMatchObject({ sha256: alpha.sha256, headers: { 'x-amz-checksum-sha256': checksum } });
    await expect(s3Workspaces(about).uploads([{ sha256: '../x', bytes: 1 }])).rejects.toMatchObject({
      code: 'HcaBadInput',
    });
    const large = { ...alpha, bytes: 1e9 };
    await expect(s3Workspaces(about).uploads([large])).rejects.toMatchObject({ code: 'HcaTooLarge' });
  });

  test('content that may expire before the tree does is sent again', async () => {
    const { s3, workspaces } = opened();
    await workspaces.putBlob(Buffer.from('alpha'));
    const later = s3.now().getTime() + (CONTENT_DAYS.resend + 1) * DAY_MS;
    s3.now = () => new Date(later);
    expect(await workspaces.missing([alpha.sha256])).toEqual([alpha.sha256]);
    await expect(workspaces.putTree([alpha])).rejects.toMatchObject({ code: 'HcaBadInput' });
    await workspaces.putBlob(Buffer.from('alpha'));
    expect(await opened(s3).workspaces.missing([alpha.sha256])).toEqual([]);
    await workspaces.putTree([alpha]);
  });

  test('what somebody damaged or took away is a fault', async () => {
    const { s3, workspaces } = opened();
    await workspaces.putBlob(Buffer.from('alpha'));
    const tree = await workspaces.putTree([alpha]);
    const damage = (key: string, body: string) =>
      s3.kept.set(key, [{ ...s3.kept.get(key)![0]!, body: Buffer.from(body) }]);
    damage(`_workspaces/local/blobs/${alpha.sha256}`, 'omega');
    await expect(workspaces.read(tree, 'a.txt')).rejects.toMatchObject({ code: 'HcaCorrupt' });
    s3.kept.delete(`_workspaces/local/blobs/${alpha.sha256}`);
    await expect(workspaces.read(tree, 'a.txt')).rejects.toMatchObject({ code: 'HcaCorrupt' });
    damage(`_workspaces/local/trees/${tree}.json`, '[]');
    await expect(opened(s3).workspaces.list(tree)).rejects.toMatchObject({ code: 'HcaCorrupt' });
  });

  test('a folder is of another machine: taking and applying say what to do instead', async () => {
    const { workspaces } = opened();
    const remedy = expect.stringContaining('hca');
    const fault = { code: 'HcaBadInput', field: 'workspace', remedy };
    await expect(workspaces.take('/home/somebody/project')).rejects.toMatchObject(fault);
    const changes = { base: hashOf('[]'), files: [] };
    await expect(workspaces.apply('/home/somebody/project', changes, 'write')).rejects.toMatchObject(fault);
    expect(await workspaces.recover()).toEqual([]);
  });
});
