// Artifacts in DynamoDB: each version an item that is put once and never changed, with its origin and lineage. Few bytes are in the item; more lie in
// the bucket, there before the item says so (L1-ART-01 to L1-ART-03; docs/decisions/0048).
import { createHash } from 'node:crypto';
import { ArtifactMeta } from '#shared/contracts/artifact.ts';
import { HcaFault } from '#shared/contracts/errors.ts';
import { rootOf } from '#shared/contracts/ids.ts';
import { firstVersion, noArtifact } from '#shared/domain/artifact.ts';
import type { Artifacts } from '#shared/ports/artifacts.ts';
import type { Clock } from '#shared/ports/world.ts';
import { artifactFolder, bytesKey } from './artifact-names.ts';
import { belowKey, queryItems } from './dynamo-query.ts';
import { untilAlone } from './dynamo-race.ts';
import { bodyOf, corruptFault, joined, packed, sortable, textOf } from './dynamo-rows.ts';
import { type DynamoTable, getItem, type Item, putNew } from './dynamo-table.ts';
import { packBytes, unpackBytes } from './packing.ts';
import type { Objects } from './s3-objects.ts';

/** What artifacts stand on. `most`: bytes that one may have. */
export interface ArtifactHouse {
  table: DynamoTable;
  objects: Objects;
  clock: Clock;
  most?: number;
}

/** Far more than a patch worth a review has; a function of 512 MB holds it twice. */
const MOST = 64_000_000;
/** Packed bytes that an item takes: a request of the bucket costs what eight KB of an item do. */
const FEW = 4096;

/** Artifacts. The first version is tried without looking: almost always that is all. */
export const dynamoArtifacts = ({ table, objects, clock, most = MOST }: ArtifactHouse): Artifacts => ({
  find: async (tenant, id, version) => {
    const item = await itemOf(table, { tenant, id, version });
    return item === undefined ? undefined : metaOf(table, item);
  },
  list: async (tenant, root) => {
    const items = await queryItems(table, { where: '#pk = :pk', values: { pk: joined(tenant, root) } });
    return items.sort((a, b) => (textOf(a, 'born') < textOf(b, 'born') ? -1 : 1)).map((item) => metaOf(table, item));
  },
  bytes: async (tenant, id, version) => {
    const item = await itemOf(table, { tenant, id, version });
    if (item === undefined) throw noArtifact(id, version);
    const meta = metaOf(table, item);
    const key = bytesKey(tenant, meta);
    const bytes = item.bytes instanceof Uint8Array ? inside(table, item, meta) : (await objects.get(key))?.body;
    if (bytes !== undefined && digest(bytes) === meta.sha256) return bytes;
    throw damaged(meta, bytes === undefined ? `it is not in the bucket, at ${key}` : 'its bytes have another hash');
  },
  put: async (tenant, artifact) => {
    const body = typeof artifact.body === 'string' ? Buffer.from(artifact.body) : artifact.body;
    const found = { sha256: digest(body), bytes: body.byteLength, created_at: clock.now() };
    const first = firstVersion(artifact, found);
    if (body.byteLength > most) throw tooLarge(first, most);
    const bytes = packBytes(body);
    if (bytes.byteLength > FEW) await intoBucket(objects, { key: bytesKey(tenant, first), body, meta: first });
    const stored = { born: clock.ulid(), ...(bytes.byteLength > FEW ? {} : { bytes }) };
    return store(table, { tenant, first, stored });
  },
});

interface Wanted {
  tenant: string;
  id: string;
  version?: number | undefined;
}

/** One version, or the newest. */
async function itemOf(table: DynamoTable, { tenant, id, version }: Wanted): Promise<Item | undefined> {
  if (version !== undefined) return getItem(table, keyOf(tenant, id, version));
  const versions = belowKey(partitionOf(tenant, id), joined(artifactFolder(tenant, id), ''));
  return (await queryItems(table, { ...versions, newest: true, limit: 1 }))[0];
}

const partitionOf = (tenant: string, id: string): string => joined(tenant, rootOf(id));

const keyOf = (tenant: string, id: string, version: number) => ({
  pk: partitionOf(tenant, id),
  sk: joined(artifactFolder(tenant, id), sortable(version)),
});

const metaOf = (table: DynamoTable, item: Item): ArtifactMeta =>
  bodyOf(table, item, { schema: ArtifactMeta, what: `the artifact ${item.sk}` });

/** Under their hash, so that rivals for a version put each their own; what is there already is the same. */
async function intoBucket(
  objects: Objects,
  { key, body, meta }: { key: string; body: Uint8Array; meta: ArtifactMeta },
): Promise<void> {
  const { sha256, media_type: type, task_id, holon_id, kind } = meta;
  await objects.put(key, { body, sha256, type, metadata: { task_id, holon_id, kind }, once: true });
}

interface Storing {
  tenant: string;
  first: ArtifactMeta;
  stored: { born: string; bytes?: Uint8Array };
}

/** The next free version; the newest, when it has the same bytes. */
function store(table: DynamoTable, { tenant, first, stored }: Storing): Promise<ArtifactMeta> {
  let version = 1;
  return untilAlone(`the artifact ${first.id}`, async () => {
    const meta = { ...first, version };
    if (await putNew(table, { ...keyOf(tenant, first.id, version), ...stored, body: packed(JSON.stringify(meta)) }))
      return meta;
    const newest = await itemOf(table, { tenant, id: first.id });
    const there = newest === undefined ? undefined : metaOf(table, newest);
    if (there?.sha256 === first.sha256) return there;
    version = (there?.version ?? 0) + 1;
    return undefined;
  });
}

function inside(table: DynamoTable, item: Item, { id }: ArtifactMeta): Uint8Array {
  try {
    return unpackBytes(item.bytes instanceof Uint8Array ? item.bytes : new Uint8Array());
  } catch (caught) {
    throw corruptFault(table, `the artifact ${id}`, caught);
  }
}

const digest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

const damaged = ({ id, version, sha256 }: ArtifactMeta, why: string): HcaFault =>
  new HcaFault('HcaCorrupt', {
    message: `artifact ${id}, version ${version} (SHA-256 ${sha256}) is damaged: ${why}`,
    remedy:
      'restore an older version of its object in the bucket, or the table of artifacts to a point in time before the damage',
  });

const tooLarge = ({ id, bytes }: ArtifactMeta, most: number): HcaFault =>
  new HcaFault('HcaTooLarge', {
    message: `artifact ${id} has ${bytes} bytes, at most ${most} are stored`,
    field: 'body',
    remedy: 'leave generated files out of the change, or store it in parts',
  });
