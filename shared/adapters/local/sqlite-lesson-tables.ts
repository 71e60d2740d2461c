// Tables of the lessons, second shape: causes make versions once, keys find near-duplicates, what decays is found by age, and an index
// need not be built anew by every process (L3-KBS).

/** Applied after the first shape; the indexes that ranked by age go, since ranking is done in memory. */
export const LESSON_TABLES: readonly string[] = [
  'ALTER TABLE lessons ADD COLUMN cause TEXT',
  'ALTER TABLE lessons ADD COLUMN moved_at INTEGER NOT NULL DEFAULT 0',
  'ALTER TABLE lessons ADD COLUMN decays INTEGER NOT NULL DEFAULT 0',
  'DROP INDEX lessons_all',
  'DROP INDEX lessons_family',
  'DROP INDEX lessons_domain',
  'CREATE UNIQUE INDEX lessons_cause ON lessons (tenant, id, cause) WHERE cause IS NOT NULL',
  'CREATE INDEX lessons_idle ON lessons (tenant, moved_at) WHERE newest = 1 AND decays = 1',
  `CREATE TABLE lesson_keys (
    tenant TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (tenant, key)) STRICT, WITHOUT ROWID`,
  `CREATE TABLE lesson_snapshots (
    tenant TEXT NOT NULL, seq INTEGER NOT NULL, bytes BLOB NOT NULL, PRIMARY KEY (tenant)) STRICT`,
];
