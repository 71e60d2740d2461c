// Artifacts in their table and the bucket: the suite of the port with few bytes and with many, and what only these two stores can do to them
// (L1-ART-01 to L1-ART-03).
import { randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { dynamoArtifacts } from '#shared/adapters/aws/dynamo-artifacts.ts';
import { updateItem } from '#shared/adapters/aws/dynamo-table.ts';
import { s3Objects } from '#shared/adapters/aws/s3-objects.ts';
import { systemClock } from '#shared/adapters/local/system-clock.ts';
import { endpoints, freshBucket } from '#test/support/endpoint.ts';
import { memoryS3 } from '#test/support/memory-s3.ts';
import { artifactsSuite } from '../suites/artifacts.ts';
import { TENANT } from '../suites/samples.ts';
import { ID, KEY, LARGE, opened, ROOT, report } from './artifact-rig.ts';
import { openRig } from './rig.ts';

artifactsSuite('table in this process', async () => {
  const rig = await openRig(['artifacts']);
  const artifacts = dynamoArtifacts({
    table: rig.table('artifacts'),
    objects: s3Objects(memoryS3()),
    clock: systemClock(),
  });
  return { artifacts, close: () => rig.close() };
});

for (const emulator of endpoints)
  artifactsSuite('table and bucket of the emulator', async () => {
    const rig = await openRig(['artifacts']);
    const bucket = await freshBucket(emulator);
    const objects = s3Objects(bucket);
    const artifacts = dynamoArtifacts({ table: rig.table('artifacts'), objects, clock: systemClock() });
    return {
      artifacts,
      close: async () => {
        bucket.client.destroy();
        await rig.close();
      },
    };
  });

describe('few bytes', () => {
  test('are one write of the table, and nothing of the bucket', async () => {
    const { rig, s3, artifacts } = await opened();
    rig.sent.length = 0;
    await artifacts.put(TENANT, report());
    expect([rig.sent, s3.asked]).toEqual([['Put'], []]);
    await artifacts.bytes(TENANT, ID, 1);
    expect([rig.sent, s3.asked]).toEqual([['Put', 'Get'], []]);
  });

  test('that somebody changed are a fault that names the artifact', async () => {
    const { table, artifacts } = await opened();
    await artifacts.put(TENANT, report());
    const change = (bytes: Uint8Array) =>
      updateItem(
        table,
        { pk: `${TENANT}#${ROOT}`, sk: `${KEY}#0000000001` },
        { set: 'SET #bytes = :bytes', values: { bytes } },
      );
    for (const bytes of [Buffer.from('nothing of ours'), new Uint8Array()]) {
      await change(bytes);
      await expect(artifacts.bytes(TENANT, ID)).rejects.toMatchObject({
        code: 'HcaCorrupt',
        message: expect.stringContaining(ID),
      });
    }
  });

  test('that were never text come back as they were', async () => {
    const { s3, artifacts } = await opened();
    const body = randomBytes(3000);
    await artifacts.put(TENANT, report({ kind: 'file', body }));
    expect(Buffer.from(await artifacts.bytes(TENANT, ID))).toEqual(body);
    expect(s3.asked).toEqual([]);
  });
});

test('a lineage of many names is kept whole', async () => {
  const { artifacts } = await opened();
  const from = Array.from({ length: 64 }, () => randomUUID());
  for (const body of ['one', 'two']) await artifacts.put(TENANT, report({ from, body }));
  expect((await artifacts.list(TENANT, ROOT)).map(({ from: of, version }) => [of, version])).toEqual([
    [from, 1],
    [from, 2],
  ]);
});

test('a name leads nowhere and hides nothing, whatever is in it', async () => {
  const { s3, artifacts } = await opened();
  const names = ['../../secret', '.', 'a', 'a/v1', 'a#0000000001', 'ä'.repeat(120), '💥 & <b>'];
  const bodyOf = (name: string, large: boolean) =>
    large ? Buffer.concat([LARGE, Buffer.from(name)]) : Buffer.from(name);
  for (const large of [false, true])
    for (const name of names) await artifacts.put(TENANT, report({ name, body: bodyOf(name, large) }));
  for (const name of names)
    for (const [version, large] of [
      [1, false],
      [2, true],
    ] as const)
      expect(Buffer.from(await artifacts.bytes(TENANT, `${ROOT}/1/${name}`, version))).toEqual(bodyOf(name, large));
  const listed = await artifacts.list(TENANT, ROOT);
  expect(listed.map(({ name, version }) => [name, version])).toEqual(
    [1, 2].flatMap((v) => names.map((name) => [name, v])),
  );
  for (const key of s3.kept.keys())
    expect(key).toMatch(new RegExp(`^${TENANT}/${ROOT}/1/[A-Za-z0-9!._-]+/[0-9a-f]{64}$`));
});
