// Artifacts: bytes as files named by their SHA-256, metadata, versions and lineage in SQLite (L1-ART-01 to L1-ART-03).
import { createHash } from 'node:crypto';
import { ArtifactMeta } from '#shared/contracts/artifact.ts';
import { rootOf } from '#shared/contracts/ids.ts';
import { firstVersion, noArtifact } from '#shared/domain/artifact.ts';
import type { Artifacts } from '#shared/ports/artifacts.ts';
import type { Clock } from '#shared/ports/world.ts';
import type { BlobStore } from './files-blobs.ts';
import type { Row, SqliteDatabase } from './sqlite-database.ts';
import { corruptFault } from './sqlite-faults.ts';
import { bodyOf, textOf } from './sqlite-rows.ts';

const NEWEST = 'SELECT id, body FROM artifacts WHERE tenant = ? AND id = ? ORDER BY version DESC LIMIT 1';
const VERSION = 'SELECT id, body FROM artifacts WHERE tenant = ? AND id = ? AND version = ?';
const BELOW = 'SELECT id, body FROM artifacts WHERE tenant = ? AND root = ? ORDER BY rowid';
const INSERT = 'INSERT INTO artifacts (tenant, id, version, root, body) VALUES (?, ?, ?, ?, ?)';

/** What artifacts stand on. */
export interface ArtifactStores {
  db: SqliteDatabase;
  blobs: BlobStore;
  clock: Clock;
}

/** Artifacts. The bytes are stored before the metadata that names them, so a crash between leaves bytes that nobody names, never the reverse. */
export const filesArtifacts = ({ db, blobs, clock }: ArtifactStores): Artifacts => {
  const find = (tenant: string, id: string, version?: number): ArtifactMeta | undefined => {
    const row = version === undefined ? db.get(NEWEST, [tenant, id]) : db.get(VERSION, [tenant, id, version]);
    return row === undefined ? undefined : metaOf(db, row);
  };
  return {
    find: async (tenant, id, version) => find(tenant, id, version),
    list: async (tenant, root) => db.all(BELOW, [tenant, root]).map((row) => metaOf(db, row)),
    bytes: async (tenant, id, version) => {
      const meta = find(tenant, id, version);
      if (meta === undefined) throw noArtifact(id, version);
      const bytes = await blobs.read(meta.sha256);
      if (bytes !== undefined && digest(bytes) === meta.sha256) return bytes;
      throw corruptFault(`artifact ${id}, version ${meta.version} (SHA-256 ${meta.sha256})`, blobs.place);
    },
    put: async (tenant, artifact) => {
      const body = typeof artifact.body === 'string' ? Buffer.from(artifact.body) : artifact.body;
      const first = firstVersion(artifact, {
        sha256: digest(body),
        bytes: body.byteLength,
        created_at: clock.now(),
      });
      await blobs.write(first.sha256, body);
      return db.transaction(() => {
        const newest = find(tenant, first.id);
        if (newest?.sha256 === first.sha256) return newest;
        const meta = { ...first, version: (newest?.version ?? 0) + 1 };
        db.run(INSERT, [tenant, meta.id, meta.version, rootOf(meta.task_id), JSON.stringify(meta)]);
        return meta;
      });
    },
  };
};

const digest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

const metaOf = (db: SqliteDatabase, row: Row): ArtifactMeta =>
  bodyOf(db, row, { schema: ArtifactMeta, what: `artifact ${textOf(row, 'id')}` });
