// Artifacts in the bucket: each version an object of its own that is created once and never overwritten, its metadata beside the bytes
// (L1-ART-01 to L1-ART-03).
import { createHash } from 'node:crypto';
import type { ArtifactMeta } from '#shared/contracts/artifact.ts';
import { HcaFault } from '#shared/contracts/errors.ts';
import { rootOf } from '#shared/contracts/ids.ts';
import { firstVersion, noArtifact } from '#shared/domain/artifact.ts';
import type { Artifacts } from '#shared/ports/artifacts.ts';
import type { Clock } from '#shared/ports/world.ts';
import { atOnce } from './at-once.ts';
import { readMeta, writeMeta } from './s3-artifact-meta.ts';
import { artifactFolder, versionKey, versionOf } from './s3-artifact-names.ts';
import type { Objects } from './s3-objects.ts';

/** What artifacts stand on. `most`: bytes that one may have. */
export interface ArtifactBucket {
  objects: Objects;
  clock: Clock;
  most?: number;
}

/** Far more than a patch worth a review has; a function of 512 MB holds it twice. */
const MOST = 64_000_000;
/** Rivals for the next version that are outwaited. */
const ROUNDS = 100;
/** Objects that are looked at together. */
const WIDTH = 16;

/** Artifacts. The first version is tried without looking: almost always that is all. */
export const s3Artifacts = ({ objects, clock, most = MOST }: ArtifactBucket): Artifacts => ({
  find: async (tenant, id, version) => {
    const key = await keyOf(objects, { tenant, id, version });
    const found = await objects.head(key);
    return found === undefined ? undefined : readMeta(objects, key, found.metadata);
  },
  list: async (tenant, root) => {
    const keys = await objects.list(`${tenant}/${root}`);
    const versions = keys.filter((key) => versionOf(key) !== null);
    const found = (await atOnce(WIDTH, versions, (key) => lookAt(objects, key))).flat();
    const below = found.filter(({ meta }) => rootOf(meta.task_id) === root);
    return below.sort((a, b) => (a.order < b.order ? -1 : 1)).map(({ meta }) => meta);
  },
  bytes: async (tenant, id, version) => {
    const key = await keyOf(objects, { tenant, id, version });
    const found = await objects.get(key);
    if (found === undefined) throw noArtifact(id, version);
    const meta = await readMeta(objects, key, found.metadata);
    if (digest(found.body) === meta.sha256) return found.body;
    const message = `artifact ${id}, version ${meta.version} (SHA-256 ${meta.sha256}) is damaged`;
    throw new HcaFault('HcaCorrupt', { message, remedy: `restore an older version of the object ${key}` });
  },
  put: async (tenant, artifact) => {
    const body = typeof artifact.body === 'string' ? Buffer.from(artifact.body) : artifact.body;
    const first = firstVersion(artifact, {
      sha256: digest(body),
      bytes: body.byteLength,
      created_at: clock.now(),
    });
    if (body.byteLength > most) throw tooLarge(first, most);
    return store(objects, { tenant, first, body, order: clock.ulid() });
  },
});

interface Storing {
  tenant: string;
  first: ArtifactMeta;
  body: Uint8Array;
  order: string;
}

async function store(objects: Objects, storing: Storing): Promise<ArtifactMeta> {
  const { tenant, first } = storing;
  let version = 1;
  for (let round = 0; round < ROUNDS; round += 1) {
    const meta = { ...first, version };
    if (await isStored(objects, storing, meta)) return meta;
    const newest = await newestOf(objects, tenant, first.id);
    const same = await sameAs(objects, versionKey(tenant, first.id, newest), first.sha256);
    if (same !== null) return same;
    version = newest + 1;
  }
  throw new HcaFault('HcaConflict', { message: `artifact ${first.id} gets versions faster than they can be counted` });
}

async function isStored(objects: Objects, { tenant, body, order }: Storing, meta: ArtifactMeta): Promise<boolean> {
  const metadata = await writeMeta(objects, artifactFolder(tenant, meta.id), { meta, order });
  const key = versionKey(tenant, meta.id, meta.version);
  const { sha256, media_type: type } = meta;
  return (await objects.put(key, { body, sha256, type, metadata, once: true })) === 'stored';
}

async function sameAs(objects: Objects, key: string, sha256: string): Promise<ArtifactMeta | null> {
  const found = await objects.head(key);
  return found?.metadata.sha256 === sha256 ? readMeta(objects, key, found.metadata) : null;
}

interface Wanted {
  tenant: string;
  id: string;
  version?: number | undefined;
}

/** The key of the version, or of the newest; of the first when there is none, and there nothing is found. */
const keyOf = async (objects: Objects, { tenant, id, version }: Wanted): Promise<string> =>
  versionKey(tenant, id, version ?? Math.max(1, await newestOf(objects, tenant, id)));

/** 0 when there is none. */
async function newestOf(objects: Objects, tenant: string, id: string): Promise<number> {
  const keys = await objects.list(`${artifactFolder(tenant, id)}/v`);
  return keys.reduce((newest, key) => Math.max(newest, versionOf(key) ?? 0), 0);
}

async function lookAt(objects: Objects, key: string): Promise<{ meta: ArtifactMeta; order: string }[]> {
  const found = await objects.head(key);
  if (found === undefined) return [];
  return [{ meta: await readMeta(objects, key, found.metadata), order: found.metadata.order ?? '' }];
}

const digest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

const tooLarge = ({ id, bytes }: ArtifactMeta, most: number): HcaFault =>
  new HcaFault('HcaTooLarge', {
    message: `artifact ${id} has ${bytes} bytes, at most ${most} are stored`,
    field: 'body',
    remedy: 'leave generated files out of the change, or store it in parts',
  });
