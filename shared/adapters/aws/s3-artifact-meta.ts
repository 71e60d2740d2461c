// What stands beside the bytes of an artifact: origin, hash and lineage (L1-ART-02, L1-ART-03).
import { createHash } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { ArtifactMeta } from '#shared/contracts/artifact.ts';
import { HcaFault } from '#shared/contracts/errors.ts';
import type { Metadata, Objects } from './s3-objects.ts';

/** Metadata hold 2 KB in all; the lines for people take at most 600 bytes of them. */
const ABOUT_BYTES = 1400;

/**
 * The metadata of a version: a few lines for people, and all of it packed. `order` is a ULID, by which artifacts of one millisecond are told
 * apart. A lineage of many names that are all different does not fit beside the bytes: it is stored in the artifact's folder, before them.
 */
export const writeMeta = async (
  objects: Objects,
  folder: string,
  { meta, order }: { meta: ArtifactMeta; order: string },
): Promise<Metadata> => {
  const { task_id, holon_id, kind, sha256 } = meta;
  const lines = { task_id, holon_id, kind, sha256, order };
  const about = deflateRawSync(JSON.stringify(meta)).toString('base64');
  if (about.length <= ABOUT_BYTES) return { ...lines, about };
  const body = Buffer.from(about);
  const hash = createHash('sha256').update(body).digest('hex');
  const key = `${folder}/about-${hash}`;
  await objects.put(key, { body, sha256: hash, type: 'text/plain', once: true });
  return { ...lines, about_in: key };
};

/** Reads back what `writeMeta` wrote. @throws HcaFault HcaCorrupt */
export const readMeta = async (objects: Objects, key: string, metadata: Metadata): Promise<ArtifactMeta> => {
  const about = metadata.about ?? (await aboutIn(objects, metadata.about_in));
  try {
    return ArtifactMeta.parse(JSON.parse(inflateRawSync(Buffer.from(about, 'base64')).toString('utf8')));
  } catch (cause) {
    throw new HcaFault('HcaCorrupt', { message: `what stands beside ${key} is not an artifact's`, cause });
  }
};

async function aboutIn(objects: Objects, key: string | undefined): Promise<string> {
  const found = key === undefined ? undefined : await objects.get(key);
  return found === undefined ? '' : Buffer.from(found.body).toString('utf8');
}
