// Artifacts in a bucket: the suite of the port on small pages, and what only a bucket can do to them (L1-ART-01 to L1-ART-03).
import { createHash, randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { s3Artifacts } from '#shared/adapters/aws/s3-artifacts.ts';
import { s3Objects } from '#shared/adapters/aws/s3-objects.ts';
import { systemClock } from '#shared/adapters/local/system-clock.ts';
import type { NewArtifact } from '#shared/ports/artifacts.ts';
import { endpoints, freshBucket } from '#test/support/endpoint.ts';
import { error, memoryS3 } from '#test/support/memory-s3.ts';
import { artifactsSuite } from '../suites/artifacts.ts';
import { rootId, TENANT } from '../suites/samples.ts';

const ROOT = rootId(1);
const ID = `${ROOT}/1/report`;
const KEY = `${TENANT}/${ROOT}/1/report`;
const report = (parts: Partial<NewArtifact> = {}): NewArtifact => ({
  task: ROOT,
  holon: 'code',
  iteration: 1,
  name: 'report',
  kind: 'report',
  media_type: 'text/plain',
  from: ['snapshot'],
  body: 'one',
  ...parts,
});
const opened = () => {
  const s3 = memoryS3();
  return { s3, artifacts: s3Artifacts({ objects: s3Objects(s3), clock: systemClock() }) };
};

artifactsSuite('bucket in memory', async () => ({ ...opened(), close: async () => undefined }));

for (const emulator of endpoints)
  artifactsSuite('bucket of the emulator', async () => {
    const bucket = await freshBucket(emulator);
    const artifacts = s3Artifacts({ objects: s3Objects(bucket), clock: systemClock() });
    return { artifacts, close: async () => bucket.client.destroy() };
  });

describe('artifacts in a bucket', () => {
  test('the first version is one request, under a key that a person can read, with its origin beside it', async () => {
    const { s3, artifacts } = opened();
    await artifacts.put(TENANT, report());
    expect(s3.asked).toEqual([`PUT ${KEY}/v1`]);
    const [stored] = s3.kept.get(`${KEY}/v1`) ?? [];
    expect(stored?.headers).toMatchObject({
      'content-type': 'text/plain',
      'x-amz-meta-task_id': ROOT,
      'x-amz-meta-holon_id': 'code',
      'x-amz-meta-sha256': createHash('sha256').update('one').digest('hex'),
    });
  });

  test('a lost race is the next version, unless the winner stored the same bytes', async () => {
    const { s3, artifacts } = opened();
    await artifacts.put(TENANT, report());
    const rivals = ['rival', 'two'];
    s3.before = (asked) => {
      const rival = asked === `PUT ${KEY}/v2` || asked === `PUT ${KEY}/v3` ? rivals.shift() : undefined;
      if (rival !== undefined)
        s3.kept.set(asked.slice(4), [{ body: Buffer.from(rival), headers: aboutOf(rival), modified: new Date() }]);
      return undefined;
    };
    const aboutOf = (body: string) => {
      const [first] = s3.kept.get(`${KEY}/v1`)!;
      return { ...first!.headers, 'x-amz-meta-sha256': createHash('sha256').update(body).digest('hex') };
    };
    await artifacts.put(TENANT, report({ body: 'two' }));
    expect([...s3.kept.keys()]).toEqual([`${KEY}/v1`, `${KEY}/v2`, `${KEY}/v3`]);
    expect(s3.kept.get(`${KEY}/v3`)).toHaveLength(1);
  });

  test('bytes that somebody changed are a fault that names the artifact; an object of somebody else is none', async () => {
    const { s3, artifacts } = opened();
    await artifacts.put(TENANT, report());
    const [stored] = s3.kept.get(`${KEY}/v1`) ?? [];
    s3.kept.set(`${KEY}/v1`, [{ ...stored!, body: Buffer.from('two') }]);
    await expect(artifacts.bytes(TENANT, ID)).rejects.toMatchObject({
      code: 'HcaCorrupt',
      message: expect.stringContaining(ID),
    });
    s3.kept.set(`${KEY}/v1`, [{ ...stored!, headers: {} }]);
    await expect(artifacts.find(TENANT, ID)).rejects.toMatchObject({ code: 'HcaCorrupt' });
  });

  test('a lineage that does not fit beside the bytes is kept whole', async () => {
    const { artifacts } = opened();
    const from = Array.from({ length: 64 }, () => randomUUID());
    const meta = await artifacts.put(TENANT, report({ from }));
    await artifacts.put(TENANT, report({ from, body: 'two' }));
    expect((await artifacts.find(TENANT, ID, 1))?.from).toEqual(from);
    expect((await artifacts.list(TENANT, ROOT)).map(({ from: of, version }) => [of, version])).toEqual([
      [from, meta.version],
      [from, 2],
    ]);
  });

  test('a name leads nowhere and hides nothing, whatever is in it', async () => {
    const { s3, artifacts } = opened();
    const names = ['../../secret', '.', 'a', 'a/v1', 'ä'.repeat(120), '💥 & <b>'];
    for (const name of names) await artifacts.put(TENANT, report({ name, body: name }));
    for (const name of names) {
      expect(Buffer.from(await artifacts.bytes(TENANT, `${ROOT}/1/${name}`)).toString()).toBe(name);
      expect(await artifacts.find(TENANT, `${ROOT}/1/${name}`)).toMatchObject({ name, version: 1 });
    }
    expect((await artifacts.list(TENANT, ROOT)).map(({ name }) => name)).toEqual(names);
    for (const key of s3.kept.keys()) expect(key).toMatch(new RegExp(`^${TENANT}/${ROOT}/1/[A-Za-z0-9!._-]+/v1$`));
  });

  test('what is too large is refused before the call', async () => {
    const { s3 } = opened();
    const artifacts = s3Artifacts({ objects: s3Objects(s3), clock: systemClock(), most: 10 });
    await expect(artifacts.put(TENANT, report({ body: 'x'.repeat(11) }))).rejects.toMatchObject({
      code: 'HcaTooLarge',
      field: 'body',
    });
    expect(s3.asked).toEqual([]);
  });

  test('a create at the very moment of another one is a conflict that is tried again', async () => {
    const { s3, artifacts } = opened();
    s3.before = () => error(409, 'ConditionalRequestConflict');
    await expect(artifacts.put(TENANT, report())).rejects.toMatchObject({ code: 'HcaConflict', retryable: true });
  });

  test.each([
    [503, 'SlowDown', { code: 'HcaThrottled', retryable: true }],
    [503, 'ServiceUnavailable', { code: 'HcaUnavailable', retryable: true }],
    [500, 'InternalError', { code: 'HcaUnavailable', retryable: true }],
    [404, 'NoSuchBucket', { code: 'HcaInternal', retryable: false }],
    [403, 'AccessDenied', { code: 'HcaInternal', retryable: false }],
  ])('an answer of %d %s is a fault', async (status, code, fault) => {
    const { s3, artifacts } = opened();
    s3.before = () => error(status, code);
    await expect(artifacts.put(TENANT, report())).rejects.toMatchObject(fault);
    await expect(artifacts.bytes(TENANT, ID, 1)).rejects.toMatchObject({ name: fault.code });
    await expect(artifacts.list(TENANT, ROOT)).rejects.toMatchObject({ message: expect.stringContaining('memory') });
  });
});
