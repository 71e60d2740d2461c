// Artifacts whose root is gone and that nobody names any more: first their metadata, then the bytes that no artifact is left to name.
import { ArtifactMeta } from '#shared/contracts/artifact.ts';
import type { BlobStore } from './files-blobs.ts';
import type { Row, SqliteDatabase } from './sqlite-database.ts';
import { type Breathe, CHUNK } from './sqlite-forget.ts';
import { bodyOf, integerOf, textOf } from './sqlite-rows.ts';

const PAGE = `SELECT rowid AS at, tenant, id, root, body FROM artifacts WHERE rowid > ? ORDER BY rowid LIMIT ${CHUNK}`;
const DELETE = 'DELETE FROM artifacts WHERE rowid = ?';
const HAS_ROOT = 'SELECT 1 FROM records WHERE tenant = ? AND id = ?';

/** What went: artifacts, and bytes that the disk has got back. */
export interface Collected {
  artifacts: number;
  bytes: number;
}

/** `named`: artifacts that remaining records name. Content younger than `before` (milliseconds of the epoch) is spared: its artifact may be about to be stored. */
export const collectArtifacts = async (
  stores: { db: SqliteDatabase; blobs: BlobStore },
  { named, before }: { named: ReadonlySet<string>; before: number },
  breathe: Breathe,
): Promise<Collected> => {
  const { db, blobs } = stores;
  const kept = new Set<string>();
  let artifacts = 0;
  for (let at: number | undefined = 0; at !== undefined; ) {
    const page = db.all(PAGE, [at]);
    const over = page.filter((row) => !(hasRoot(db, row) || named.has(textOf(row, 'id'))));
    db.transaction(() => {
      for (const row of over) db.run(DELETE, [integerOf(row, 'at')]);
    });
    artifacts += over.length;
    for (const row of page) if (!over.includes(row)) kept.add(hashOf(db, row));
    at = nextOf(page);
    await breathe();
  }
  const { bytes } = await blobs.collect(kept, before);
  return { artifacts, bytes };
};

const hasRoot = (db: SqliteDatabase, row: Row): boolean =>
  db.get(HAS_ROOT, [textOf(row, 'tenant'), textOf(row, 'root')]) !== undefined;

const hashOf = (db: SqliteDatabase, row: Row): string =>
  bodyOf(db, row, { schema: ArtifactMeta, what: `artifact ${textOf(row, 'id')}` }).sha256;

function nextOf(page: Row[]): number | undefined {
  const last = page.at(-1);
  return last === undefined || page.length < CHUNK ? undefined : integerOf(last, 'at');
}
