// Artifacts whose bytes are too many for an item: what the bucket can do to them, and rivals (L1-ART-01 to L1-ART-03; docs/decisions/0048).
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { error } from '#test/support/memory-s3.ts';
import { TENANT } from '../suites/samples.ts';
import { ID, KEY, LARGE, opened, ROOT, report } from './artifact-rig.ts';
import { crashAt, meanwhile, restart } from './crash.ts';

const sha256 = (body: Uint8Array | string) => createHash('sha256').update(body).digest('hex');

describe('many bytes', () => {
  test('lie in the bucket under their hash, with their origin, before the table says so', async () => {
    const { rig, s3, artifacts } = await opened();
    crashAt(rig, 1);
    await expect(artifacts.put(TENANT, report({ body: LARGE }))).rejects.toThrow('crashed');
    restart(rig);
    expect(await artifacts.find(TENANT, ID)).toBeUndefined();
    await artifacts.put(TENANT, report({ body: LARGE }));
    const key = `${KEY}/${sha256(LARGE)}`;
    expect(s3.asked.filter((asked) => asked.startsWith('PUT'))).toEqual([`PUT ${key}`, `PUT ${key}`]);
    expect(s3.kept.get(key)?.[0]?.headers).toMatchObject({
      'content-type': 'text/plain',
      'x-amz-meta-task_id': ROOT,
      'x-amz-meta-holon_id': 'code',
    });
    expect(Buffer.from(await artifacts.bytes(TENANT, ID, 1))).toEqual(LARGE);
  });

  test('that are changed or gone are a fault that names the artifact and where they were', async () => {
    const { s3, artifacts } = await opened();
    await artifacts.put(TENANT, report({ body: LARGE }));
    const [key = ''] = s3.kept.keys();
    const [stored] = s3.kept.get(key) ?? [];
    s3.kept.set(key, [{ ...stored!, body: Buffer.from('two') }]);
    await expect(artifacts.bytes(TENANT, ID)).rejects.toMatchObject({ code: 'HcaCorrupt' });
    s3.kept.delete(key);
    await expect(artifacts.bytes(TENANT, ID)).rejects.toMatchObject({
      code: 'HcaCorrupt',
      message: expect.stringContaining(key),
    });
    expect(await artifacts.find(TENANT, ID)).toMatchObject({ version: 1, bytes: LARGE.length });
  });

  test('of rivals for one version are each kept, and neither is taken for the other', async () => {
    const { rig, artifacts } = await opened();
    const [left, right] = [Buffer.concat([LARGE, Buffer.from('left')]), Buffer.concat([LARGE, Buffer.from('right')])];
    meanwhile(rig, 1, () => artifacts.put(TENANT, report({ body: right })));
    const second = await artifacts.put(TENANT, report({ body: left }));
    expect(second.version).toBe(2);
    expect(Buffer.from(await artifacts.bytes(TENANT, ID, 1))).toEqual(right);
    expect(Buffer.from(await artifacts.bytes(TENANT, ID, 2))).toEqual(left);
  });

  test('beyond what is stored are refused before any call', async () => {
    const { rig, s3, artifacts } = await opened(10);
    rig.sent.length = 0;
    await expect(artifacts.put(TENANT, report({ body: 'x'.repeat(11) }))).rejects.toMatchObject({
      code: 'HcaTooLarge',
      field: 'body',
    });
    expect([rig.sent, s3.asked]).toEqual([[], []]);
  });

  test.each([
    [503, 'SlowDown', { code: 'HcaThrottled', retryable: true }],
    [503, 'ServiceUnavailable', { code: 'HcaUnavailable', retryable: true }],
    [409, 'ConditionalRequestConflict', { code: 'HcaConflict', retryable: true }],
    [404, 'NoSuchBucket', { code: 'HcaInternal', retryable: false }],
    [403, 'AccessDenied', { code: 'HcaInternal', retryable: false }],
  ])('an answer of %d %s to them is a fault, and nothing is said to be stored', async (status, code, fault) => {
    const { s3, artifacts } = await opened();
    s3.before = () => error(status, code);
    await expect(artifacts.put(TENANT, report({ body: LARGE }))).rejects.toMatchObject(fault);
    expect(await artifacts.list(TENANT, ROOT)).toEqual([]);
  });
});
