// The tables of the ASL runner, prefix `asl_`. Applied in order by whoever owns the database; never edited, only appended to.

/** SQL of each migration, oldest first. */
export const ASL_MIGRATIONS: readonly string[] = [
  // `owed` is 1 while the execution is open or its end has not been announced; the partial index makes resume and listing cheap.
  `CREATE TABLE asl_executions (
    id INTEGER PRIMARY KEY,
    machine TEXT NOT NULL,
    name TEXT NOT NULL,
    input TEXT NOT NULL,
    status TEXT NOT NULL DEFAULT 'RUNNING',
    started INTEGER NOT NULL,
    deadline INTEGER,
    ended INTEGER,
    output TEXT,
    error TEXT,
    cause TEXT,
    owed INTEGER NOT NULL DEFAULT 1,
    UNIQUE (machine, name)
  ) STRICT;
  CREATE INDEX asl_executions_owed ON asl_executions (id) WHERE owed = 1;
  CREATE TABLE asl_visits (
    execution INTEGER NOT NULL,
    path TEXT NOT NULL,
    visit INTEGER NOT NULL,
    state TEXT NOT NULL,
    type TEXT NOT NULL,
    entered INTEGER NOT NULL,
    exited INTEGER NOT NULL,
    next TEXT,
    output TEXT NOT NULL,
    assign TEXT,
    failure TEXT,
    PRIMARY KEY (execution, path, visit)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE asl_attempts (
    execution INTEGER NOT NULL,
    path TEXT NOT NULL,
    visit INTEGER NOT NULL,
    attempt INTEGER NOT NULL,
    state TEXT NOT NULL,
    detail TEXT NOT NULL,
    token TEXT,
    invoked INTEGER,
    outcome TEXT,
    over INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (execution, path, visit, attempt)
  ) STRICT, WITHOUT ROWID;
  CREATE UNIQUE INDEX asl_attempts_token ON asl_attempts (token) WHERE token IS NOT NULL;`,
];
