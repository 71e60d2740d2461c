// What the port `artifacts` means, for every adapter (L1-ART-01 to L1-ART-03).
import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Artifacts, NewArtifact } from '#shared/ports/artifacts.ts';
import type { Opened } from './opened.ts';
import { rootId, TENANT } from './samples.ts';

const ROOT = rootId(1);
const ID = `${ROOT}/1/report`;
const sha256 = (body: string | Uint8Array) => createHash('sha256').update(body).digest('hex');
const made = (body: string | Uint8Array, parts: Partial<NewArtifact> = {}): NewArtifact => ({
  task: ROOT,
  holon: 'code',
  iteration: 1,
  name: 'report',
  kind: 'report',
  media_type: 'text/plain',
  from: ['snapshot'],
  body,
  ...parts,
});

/** Runs the suite; `open` gives a fresh, empty store. */
export const artifactsSuite = (name: string, open: () => Promise<Opened<'artifacts'>>): void => {
  describe(`artifacts: ${name}`, () => {
    let house: Opened<'artifacts'>;
    let artifacts: Artifacts;
    const text = async (version?: number) => Buffer.from(await artifacts.bytes(TENANT, ID, version)).toString();
    beforeEach(async () => {
      house = await open();
      artifacts = house.artifacts;
    });
    afterEach(() => house.close());

    test('has an id, a version, a hash, a size, its origin and its lineage', async () => {
      const meta = await artifacts.put(TENANT, made('é'));
      const origin = { task_id: ROOT, holon_id: 'code', iteration: 1, from: ['snapshot'] };
      expect(meta).toMatchObject({
        id: ID,
        version: 1,
        kind: 'report',
        name: 'report',
        bytes: 2,
        sha256: sha256('é'),
        ...origin,
      });
      expect(await artifacts.find(TENANT, ID)).toEqual(meta);
      expect(await text()).toBe('é');
    });

    test('other bytes are a new version and the old one stays; the newest bytes again are no new version', async () => {
      await artifacts.put(TENANT, made('one'));
      expect(await artifacts.put(TENANT, made('two'))).toMatchObject({ version: 2 });
      expect(await artifacts.put(TENANT, made('two'))).toMatchObject({ version: 2 });
      expect(await artifacts.put(TENANT, made('one'))).toMatchObject({ version: 3 });
      expect([await text(1), await text(2), await text(3), await text()]).toEqual(['one', 'two', 'one', 'one']);
      expect(await artifacts.find(TENANT, ID, 2)).toMatchObject({ version: 2, sha256: sha256('two') });
    });

    test('many puts at once: versions are 1 to n without a gap', async () => {
      const metas = await Promise.all(Array.from({ length: 12 }, (_, n) => artifacts.put(TENANT, made(`body ${n}`))));
      expect(metas.map((meta) => meta.version).sort((a, b) => a - b)).toEqual(
        Array.from({ length: 12 }, (_, n) => n + 1),
      );
      for (const meta of metas) expect(sha256(await artifacts.bytes(TENANT, ID, meta.version))).toBe(meta.sha256);
    });

    test('keeps any bytes, none at all and a megabyte too', async () => {
      for (const body of [
        new Uint8Array(),
        Uint8Array.from({ length: 1 << 20 }, (_, n) => n * 31),
        Buffer.from([0, 255, 13, 10]),
      ]) {
        const meta = await artifacts.put(TENANT, made(body));
        expect(sha256(await artifacts.bytes(TENANT, ID, meta.version))).toBe(sha256(body));
      }
    });

    test('lists what is below a root, oldest first', async () => {
      await artifacts.put(TENANT, made('b', { name: 'z' }));
      await artifacts.put(TENANT, made('a', { name: 'a', task: `${ROOT}_10_1` }));
      await artifacts.put(TENANT, made('c', { task: rootId(2) }));
      await artifacts.put(TENANT, made('b2', { name: 'z' }));
      const listed = (await artifacts.list(TENANT, ROOT)).map((meta) => `${meta.id} ${meta.version}`);
      expect(listed).toEqual([`${ROOT}/1/z 1`, `${ROOT}_10_1/1/a 1`, `${ROOT}/1/z 2`]);
    });

    test('what is not there, or not of this tenant, is not found', async () => {
      await artifacts.put(TENANT, made('one'));
      expect(await artifacts.find('another', ID)).toBeUndefined();
      expect(await artifacts.find(TENANT, ID, 2)).toBeUndefined();
      await expect(artifacts.bytes('another', ID)).rejects.toMatchObject({ code: 'HcaNotFound' });
      await expect(artifacts.bytes(TENANT, ID, 2)).rejects.toMatchObject({ code: 'HcaNotFound' });
    });

    test.each([{ name: '' }, { name: 'n'.repeat(121) }, { iteration: -1 }])(
      'bad input %j is refused by name',
      async (parts) => {
        const put = artifacts.put(TENANT, made('x', parts));
        await expect(put).rejects.toMatchObject({ code: 'HcaBadInput', field: Object.keys(parts)[0] });
      },
    );
  });
};
